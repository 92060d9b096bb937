/** The used part of the library's types; it has none of its own. */
declare module 'html-to-text' {
  export interface DomNode {
    readonly children: readonly DomNode[]
    readonly attribs?: Readonly<Record<string, string>>
  }
  export interface BlockTextBuilder {
    addInline(text: string, options?: { readonly noWordTransform?: boolean }): void
  }
  export type Formatter = (
    element: DomNode,
    walk: (nodes: readonly DomNode[], builder: BlockTextBuilder) => void,
    builder: BlockTextBuilder,
    options: Readonly<Record<string, unknown>>,
  ) => void
  export interface HtmlToTextOptions {
    readonly wordwrap?: number | false
    readonly limits?: Readonly<Record<string, number | string>>
    readonly formatters?: Readonly<Record<string, Formatter>>
    readonly selectors?: readonly {
      readonly selector: string
      readonly format?: string
      readonly options?: Readonly<Record<string, unknown>>
    }[]
  }
  export function compile(options: HtmlToTextOptions): (html: string) => string
}
