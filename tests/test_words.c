/* Every stable word of analysis/cause/note_codes.h has its sentence, remedy or proof in report/: the
 * words are read from the header, so that a new one cannot be forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/cause/causes.h"
#include "analysis/cause/note_codes.h"
#include "report/advice.h"
#include "report/cause_words.h"
#include "report/notes.h"
#include "report/proof.h"

#define HEADER "analysis/cause/note_codes.h"
#define WORDS_MAX 400
#define WORD_MAX 64

struct words {
    char word[WORDS_MAX][WORD_MAX];
    int count;
};

/* The words that are defined under a prefix ("ADVICE_"); tests run in the repository's root. */
static void read_words(const char *prefix, struct words *words)
{
    FILE *header = fopen(HEADER, "r");
    char line[256], name[WORD_MAX];

    words->count = 0;
    if (header == NULL)
        fail_msg("%s cannot be read from here", HEADER);
    while (fgets(line, sizeof line, header) != NULL) {
        assert_true(words->count < WORDS_MAX);
        if (sscanf(line, "#define %63s \"%63[^\"]\"", name, words->word[words->count]) == 2 &&
            strncmp(name, prefix, strlen(prefix)) == 0)
            words->count++;
    }
    fclose(header);
    assert_true(words->count > 5);
}

/* What has no setting: it is done by people or by a program's user. */
static bool needs_no_setting(const char *change)
{
    static const char *const by_people[] = {ADVICE_REUSE_CONNECTION, ADVICE_CLIENT_LOG,
                                            ADVICE_SERVER_LOG, ADVICE_RECAPTURE,
                                            ADVICE_POLICER_RATE, ADVICE_CAPACITY,
                                            ADVICE_SERVER_TIME,  ADVICE_ACCELERATOR,
                                            ADVICE_PARALLEL_STREAMS};

    for (size_t i = 0; i < sizeof by_people / sizeof by_people[0]; i++)
        if (strcmp(by_people[i], change) == 0)
            return true;
    return false;
}

static void every_advice_has_its_remedy(void **state)
{
    struct words words;

    (void)state;
    read_words("ADVICE_", &words);
    for (int i = 0; i < words.count; i++) {
        const struct advice with = {ACTOR_SERVER, words.word[i], 262144, 1e6, 10};
        const struct advice without = {ACTOR_SERVER, words.word[i], BYTES_UNKNOWN, -1, -1};
        char *sentence = advice_sentence(&with, false, false);
        char *bare = advice_sentence(&without, false, false);

        if (strncmp(sentence, "server: ", 8) == 0)
            fail_msg("%s has no remedy in report/advice.c", words.word[i]);
        assert_null(strchr(bare, '%'));
        assert_non_null(strstr(sentence, ": about 10.0 s at 1.00 MB/s"));
        assert_null(strstr(bare, "unknown"));
        if (!needs_no_setting(words.word[i]) && advice_settings(&with) == NULL)
            fail_msg("%s has no settings in report/advice.c", words.word[i]);
        free(sentence);
        free(bare);
    }
}

/* A NOTE_ is ruled out, or left open, or both. */
static void every_note_has_its_sentence(void **state)
{
    struct words words;

    (void)state;
    read_words("NOTE_", &words);
    for (int i = 0; i < words.count; i++)
        if (!notes_knows_ruled_out(words.word[i]) && notes_unknown(words.word[i]) == NULL)
            fail_msg("%s has no words in report/notes.c", words.word[i]);
}

static void every_fact_can_be_checked(void **state)
{
    struct words words;

    (void)state;
    read_words("FACT_", &words);
    for (int i = 0; i < words.count; i++)
        if (proof_fields(words.word[i]) == NULL)
            fail_msg("%s has no fields in report/proof.c", words.word[i]);
}

static void every_cause_has_its_words(void **state)
{
    (void)state;
    for (int id = 1; id <= CAUSE_ID_MAX; id++)
        if (cause_words(cause_slug(id)) == cause_slug(id))
            fail_msg("%s has no words in report/cause_words.c", cause_slug(id));
    assert_string_equal(cause_words("no_such_cause"), "no_such_cause");
}

static void what_is_not_known_is_said_plainly(void **state)
{
    (void)state;
    assert_null(proof_fields("no_such_fact"));
    assert_null(proof_fields(NULL));
    assert_string_equal(proof_filter(27).text, "frame.number==27");
    assert_null(notes_unknown("no_such_note"));
    assert_string_equal(notes_ruled_out("no_such_note"), "no_such_note");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_advice_has_its_remedy),
        cmocka_unit_test(every_note_has_its_sentence),
        cmocka_unit_test(every_fact_can_be_checked),
        cmocka_unit_test(every_cause_has_its_words),
        cmocka_unit_test(what_is_not_known_is_said_plainly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
