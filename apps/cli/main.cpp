#include "application.h"

int main(int argc, char** argv) {
  return trammel::cli::run_application({argv + 1, argv + argc});
}
