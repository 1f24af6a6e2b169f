// The default output validator of the Kattis package format as a checker of testlib; the lines above set what it compares.
#include "testlib.h"

#include <cstdlib>

static std::string folded(std::string token) {
    for (size_t i = 0; !CASE_SENSITIVE && i < token.size(); i++)
        if ('A' <= token[i] && token[i] <= 'Z') token[i] = char(token[i] - 'A' + 'a');
    return token;
}

static bool is_number(const std::string &token, double &value) {
    if (token.find_first_not_of("0123456789.eE+-") != std::string::npos) return false;
    char *end = NULL;
    value = strtod(token.c_str(), &end);
    return !token.empty() && *end == 0;
}

static bool is_near(double expected, double found) {
    double difference = expected < found ? found - expected : expected - found;
    return difference <= ABSOLUTE_TOLERANCE || difference <= RELATIVE_TOLERANCE * (expected < 0 ? -expected : expected);
}

static bool is_equal(const std::string &expected, const std::string &found) {
    double wanted = 0, given = 0;
    if ((ABSOLUTE_TOLERANCE >= 0 || RELATIVE_TOLERANCE >= 0) && is_number(expected, wanted))
        return is_number(found, given) && is_near(wanted, given);
    return folded(expected) == folded(found);
}

static std::string blanks(InStream &stream) {
    std::string read;
    while (!stream.eof() && isBlanks(char(stream.curChar()))) read += char(stream.nextChar());
    return read;
}

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    for (int number = 1;; number++) {
        std::string expected_blanks = blanks(ans), found_blanks = blanks(ouf);
        if (SPACE_SENSITIVE && expected_blanks != found_blanks) quitf(_wa, "other blanks before token %d", number);
        if (ans.eof()) break;
        if (ouf.eof()) quitf(_wa, "the output ends before token %d", number);
        std::string expected = ans.readToken(), found = ouf.readToken();
        if (!is_equal(expected, found))
            quitf(_wa, "token %d: expected '%s', found '%s'", number, compress(expected).c_str(), compress(found).c_str());
    }
    if (!ouf.eof()) quitf(_wa, "the output goes on after the last token");
    quitf(_ok, "equal");
}
