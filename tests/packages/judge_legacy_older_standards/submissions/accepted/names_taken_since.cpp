#include <iostream>
using namespace std;
int size, data[3];
int twice() throw(int) { return 2 * size; }
int main() { cin >> size; data[0] = twice(); cout << data[0] << endl; }
