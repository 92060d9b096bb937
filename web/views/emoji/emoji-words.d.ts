// Modules that the bundler makes (emojiWords in web/vite.config.ts). Codes are without variation selectors.

/** Groups of emoji in their order, and the code of those with skin tones, with `tone` in the place of each. */
declare module 'emoji-words:order' {
  const order: {
    readonly groups: readonly (readonly string[])[]
    readonly toned: Readonly<Record<string, string>>
  }
  export default order
}

/** The name of each emoji in a language, and other words for it, between `|`. */
declare module 'emoji-words:*' {
  const words: Readonly<Record<string, string>>
  export default words
}
