#define WORD "wrong"
