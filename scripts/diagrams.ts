/** Diagrams of the documentation, drawn from Mermaid when it is built, since its pages run no script that could draw them. */
import { parseMermaid, renderMermaidSVG } from 'beautiful-mermaid'

/** Colours are custom properties of `web/docs/docs.css`, so a picture follows the reader's theme; the page's policy allows no styles here. */
const STYLES = [/<style>[\s\S]*?<\/style>/, / style="[^"]*"/g] as const

/**
 * Returns the picture of a diagram as SVG.
 * @param name must be unique in the page, since markers are found by their ids.
 * @throws {Error} for Mermaid that cannot be drawn.
 */
export function drawDiagram(source: string, name: string): string {
  if (parseMermaid(source).nodes.size === 0) throw new Error(`a diagram without nodes: ${source}`)
  const picture = STYLES.reduce<string>(
    (svg, style) => svg.replace(style, ''),
    renderMermaidSVG(source, { font: 'Inter' }),
  )
  return picture
    .replaceAll('id="arrowhead', `id="${name}-arrowhead`)
    .replaceAll('url(#arrowhead', `url(#${name}-arrowhead`)
}
