/** The text of a file, which the bundler puts into the script. */
declare module '*.svg?raw' {
  const text: string
  export default text
}
