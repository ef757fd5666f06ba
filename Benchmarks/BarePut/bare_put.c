/* Puts files at presigned URLs by libcurl's multi interface and nothing else: what is left of a
   publish without conditions, signatures and the order of its writes.

     bare_put LIST WIDTH      each line of LIST: a URL, a tab, a file; WIDTH requests in flight

   AWS_CA_BUNDLE names the authorities to trust. Fails unless each PUT is answered by 200. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *url;
  char *body;
  long size;
} Put;

static void die(const char *what) {
  fprintf(stderr, "bare_put: %s\n", what);
  exit(1);
}

static void *must(void *made) {
  if (!made) die("no memory");
  return made;
}

static void read_body(Put *put, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) die(path);
  put->size = ftell(file);
  rewind(file);
  put->body = must(malloc((size_t)put->size + 1));
  if (fread(put->body, 1, (size_t)put->size, file) != (size_t)put->size) die(path);
  fclose(file);
}

static Put *read_list(const char *path, size_t *count) {
  static char line[8192];
  Put *puts = NULL;
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  while (fgets(line, sizeof line, file)) {
    char *tab = strchr(line, '\t');
    if (!tab) die("a line without a tab");
    line[strcspn(line, "\n")] = 0;
    *tab = 0;
    puts = must(realloc(puts, (*count + 1) * sizeof *puts));
    puts[*count].url = must(strdup(line));
    read_body(&puts[(*count)++], tab + 1);
  }
  fclose(file);
  return puts;
}

static size_t discard(char *bytes, size_t size, size_t count, void *user) {
  (void)bytes;
  (void)user;
  return size * count;
}

static void begin(CURLM *multi, CURL *easy, const Put *put, struct curl_slist *fields) {
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, put->url);
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "PUT");
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, put->body);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, put->size);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  if (getenv("AWS_CA_BUNDLE")) curl_easy_setopt(easy, CURLOPT_CAINFO, getenv("AWS_CA_BUNDLE"));
  if (curl_multi_add_handle(multi, easy) != CURLM_OK) die("libcurl takes no transfer");
}

int main(int count_of_arguments, char **arguments) {
  size_t count = 0, begun = 0, done = 0;
  if (count_of_arguments != 3) die("usage: bare_put LIST WIDTH");
  Put *puts = read_list(arguments[1], &count);
  size_t width = (size_t)atol(arguments[2]);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = must(curl_multi_init());
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)width);
  struct curl_slist *fields = curl_slist_append(NULL, "Expect:");
  fields = must(curl_slist_append(fields, "Content-Type: application/json"));
  for (; begun < width && begun < count; begun++)
    begin(multi, must(curl_easy_init()), &puts[begun], fields);
  while (done < count) {
    int running, left;
    CURLMsg *message;
    if (curl_multi_perform(multi, &running) != CURLM_OK) die("libcurl failed");
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result != CURLE_OK || status != 200) die("a PUT failed");
      done++;
      curl_multi_remove_handle(multi, easy);
      if (begun < count)
        begin(multi, easy, &puts[begun++], fields);
      else
        curl_easy_cleanup(easy);
    }
    if (done < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  curl_slist_free_all(fields);
  curl_multi_cleanup(multi);
  return 0;
}
