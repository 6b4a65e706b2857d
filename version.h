/* The program's version, in one place. */
#ifndef TCPWHY_VERSION_H
#define TCPWHY_VERSION_H

#define TCPWHY_VERSION "0.1.0"

#endif
