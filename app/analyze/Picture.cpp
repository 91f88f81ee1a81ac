#include "app/analyze/Picture.h"
