import './format-help.css'
import { formatted } from '../../state/markdown-edit.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { signOf } from '../../ui/keys.ts'
import { FORMATS } from './format-toolbar.tsx'

interface FormatHelpProps {
  readonly onClose: () => void
}

/** What to write for each format, as the buttons write it, and the key that does the same. */
export function FormatHelp({ onClose }: FormatHelpProps) {
  return (
    <Dialog title={c.formatHelp} onClose={onClose}>
      <table class="format-help">
        <tbody>
          {FORMATS.map(([format, , keys]) => (
            <tr key={format}>
              <th scope="row">{c.formats[format]}</th>
              <td>
                <code dir="ltr">{written(format)}</code>
              </td>
              <td>{keys && <kbd>{keys.split('+').map(signOf).join('+')}</kbd>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}

function written(format: (typeof FORMATS)[number][0]): string {
  const text = t.compose.linkWords
  return formatted({ text, start: 0, end: text.length }, format, text).inserted.trim()
}
