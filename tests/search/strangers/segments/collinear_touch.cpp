#include <iostream>
using namespace std;
typedef long long ll;
struct P { ll x, y; };
int side(P a, P b, P c) { ll v = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); return (v > 0) - (v < 0); }
int main() {
    P p, q, r, s; cin >> p.x >> p.y >> q.x >> q.y >> r.x >> r.y >> s.x >> s.y;
    bool yes = side(p, q, r) != side(p, q, s) && side(r, s, p) != side(r, s, q);
    cout << (yes ? "yes" : "no") << endl;
}
