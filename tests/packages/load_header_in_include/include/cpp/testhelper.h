#define VALID 42
