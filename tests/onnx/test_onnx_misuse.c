#include "check_heed.h"
