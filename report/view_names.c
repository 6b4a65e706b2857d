/* What things are called in a report: as they are, or with --mask by a number each. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/mask.h"
#include "report/view.h"
#include "xmalloc.h"

size_t view_address(const struct view *view, const struct ip_addr *addr,
                    char text[ADDRESS_TEXT_MAX])
{
    if (view->mask == NULL)
        return address_format(addr, text);
    return (size_t)snprintf(
        text, ADDRESS_TEXT_MAX, "host-%" PRIu64,
        mask_number(view->mask, MASK_HOST, addr->bytes, sizeof addr->bytes));
}

static char *shown_name(const struct view *view, enum mask_kind kind, const char *word,
                        const char *name)
{
    if (name == NULL)
        return NULL;
    if (view->mask == NULL || name[0] == '\0')
        return xstrdup(name);
    return xasprintf("%s-%" PRIu64, word, mask_number(view->mask, kind, name, strlen(name)));
}

char *view_file_name(const struct view *view, const char *name)
{
    return shown_name(view, MASK_FILE, "file", name);
}

char *view_user_name(const struct view *view, const char *user)
{
    return shown_name(view, MASK_USER, "user", user);
}

char *view_command(const struct view *view, const struct command_result *command)
{
    const char *text = command->text;
    size_t word = 0;

    if (view->mask == NULL)
        return xstrdup(text);
    while (command->from_server ? isdigit((unsigned char)text[word])
                                : isalpha((unsigned char)text[word]))
        word++;
    if (text[word] == '\0')
        return xstrdup(text);
    return xasprintf("%.*s ****", (int)(word < 8 ? word : 8), text);
}
