/** The part of the library that is used here; it has no types of its own. */
declare module 'html-to-text' {
  export interface DomNode {
    readonly name?: string
    /** The characters of a text. */
    readonly data?: string
    readonly children?: readonly DomNode[]
    readonly attribs?: Readonly<Record<string, string>>
    readonly parent?: DomNode | null
  }
  interface LineBreaks {
    readonly leadingLineBreaks?: number
    readonly trailingLineBreaks?: number
  }
  export interface TableCell {
    readonly colspan: number
    readonly rowspan: number
    readonly text: string
  }
  export interface BlockTextBuilder {
    addInline(text: string, options?: { readonly noWordTransform?: boolean }): void
    addLiteral(text: string): void
    openBlock(options: Pick<LineBreaks, 'leadingLineBreaks'> & { readonly isPre?: boolean }): void
    closeBlock(
      options: Pick<LineBreaks, 'trailingLineBreaks'> & {
        readonly blockTransform?: (text: string) => string
      },
    ): void
    openList(
      options: Pick<LineBreaks, 'leadingLineBreaks'> & {
        readonly interRowLineBreaks: number
        /** Characters by which the lines of an item are indented. */
        readonly maxPrefixLength: number
      },
    ): void
    openListItem(options: { readonly prefix: string }): void
    closeListItem(): void
    closeList(options: Pick<LineBreaks, 'trailingLineBreaks'>): void
    openTable(): void
    openTableRow(): void
    openTableCell(): void
    closeTableCell(options: Omit<TableCell, 'text'>): void
    closeTableRow(): void
    closeTable(
      options: LineBreaks & { readonly tableToString: (rows: readonly (readonly TableCell[])[]) => string },
    ): void
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

/** Distinguishes the quoted lines of a mail from the new ones. */
declare module 'planer' {
  /** Returns a letter for each line: text, quoted, the line above a quotation, … */
  export function markMessageLines(lines: readonly string[]): string
  export interface FoundQuotation {
    wereLinesDeleted?: boolean
    /** The first line of the quotation, and the first after it. */
    firstLine?: number
    lastLine?: number
  }
  /** Returns the remaining lines, and describes in `found` what was removed. */
  export function processMarkedLines(lines: readonly string[], marks: string, found: FoundQuotation): string[]
}
