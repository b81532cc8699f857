/* What src/web/web.c uses of emscripten, for a compiler that only looks at it: make web-syntax. */
#define EM_JS(type, name, arguments, ...) type name arguments;
