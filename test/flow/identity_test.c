// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SHA-256 against the examples of FIPS 180 (NIST), and that no two sequences of texts
/// read the same.
#include "contract_check.h"
#include "identity.h"

static void check_digest(gs_sha256 *hash, const char *want) {
  uint8_t digest[32];
  char text[65];
  gs_sha256_end(hash, digest);
  for (int i = 0; i < 32; i++)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
  CHECK_TEXT(text, want);
}

static void vectors(void) {
  static const struct {
    const char *text, *digest;
  } rows[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    gs_sha256 hash;
    gs_sha256_init(&hash);
    gs_sha256_add(&hash, rows[i].text, strlen(rows[i].text));
    check_digest(&hash, rows[i].digest);
  }
  static const char many[1000] = {'a'};
  char block[1000];
  memset(block, many[0], sizeof block);
  for (size_t part = 1; part <= 1000; part += 333) { // a million in pieces of any size
    gs_sha256 hash;
    gs_sha256_init(&hash);
    for (size_t left = 1000000; left > 0;) {
      size_t n = left < part ? left : part;
      gs_sha256_add(&hash, block, n);
      left -= n;
    }
    check_digest(&hash, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

static void digest_of(const char *a, const char *b, uint8_t out[32]) {
  gs_sha256 hash;
  gs_identity_begin(&hash);
  gs_identity_text(&hash, a);
  gs_identity_text(&hash, b);
  gs_sha256_end(&hash, out);
}

static void sequences(void) {
  static const char *const pairs[][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"},
                                         {NULL, "abc"}, {"abc", NULL}};
  enum { PAIRS = sizeof pairs / sizeof *pairs };
  uint8_t digests[PAIRS][32];
  for (int i = 0; i < PAIRS; i++) {
    digest_of(pairs[i][0], pairs[i][1], digests[i]);
    for (int k = 0; k < i; k++)
      CHECK(memcmp(digests[i], digests[k], 32) != 0);
  }
}

int main(void) {
  vectors();
  sequences();
  return check_result("identity_test");
}
