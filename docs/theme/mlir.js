// Colours blocks of MLIR in the book: highlight.js, which mdBook brings along, has no such language.
(function () {
  "use strict";
  if (typeof hljs === "undefined") return;
  hljs.registerLanguage("mlir", function (hljs) {
    return {
      name: "MLIR",
      keywords: {
        keyword: "func.func return module affine_map affine_set loc attributes private public to into step iter_args else ins outs",
        literal: "true false unit dense",
        built_in: "tensor memref vector complex tuple index none strided",
      },
      contains: [
        hljs.COMMENT("//", "$"),
        hljs.QUOTE_STRING_MODE,
        // Values, symbols, blocks, aliases of attributes and types.
        { className: "variable", begin: /%[\w$.\-#]+/ },
        { className: "title", begin: /@(?:[\w$.\-]+|"[^"]*")/ },
        { className: "symbol", begin: /\^[\w$.\-]+/ },
        { className: "meta", begin: /[#!][\w$.\-]+/ },
        // Types of elements, also behind sizes.
        { className: "type", begin: /\b(?:[su]?i\d+|b?f\d+(?:E\d+M\d+\w*)?|tf32)\b/ },
        { className: "number", begin: /\b0x[0-9a-fA-F]+\b|-?\b\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?=\b|x)/ },
        // Operations.
        { className: "built_in", begin: /\b[a-z_]\w*(?:\.[a-z_]\w*)+/ },
      ],
    };
  });
  document.querySelectorAll("code.language-mlir").forEach(function (block) {
    (hljs.highlightElement || hljs.highlightBlock)(block);
  });
})();
