/* io/without_jansson.h - where HEED_NO_JANSSON is defined, what the functions that read or write JSON fail with
 * instead. */
#ifndef HEED_IO_WITHOUT_JANSSON_H
#define HEED_IO_WITHOUT_JANSSON_H

#define HEED_WITHOUT_JANSSON "heed was built without jansson (HEED_NO_JANSSON), which reads and writes JSON"

#endif
