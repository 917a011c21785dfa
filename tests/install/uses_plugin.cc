#include <iostream>
#include <string>

std::string first_arc(const char* model, const char* text);

int main(int argc, char** argv) { std::cout << (argc == 3 ? first_arc(argv[1], argv[2]) : "") << '\n'; }
