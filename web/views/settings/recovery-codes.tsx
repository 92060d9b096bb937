import './second-factors.css'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows new recovery codes, this once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog isOnce title={s.security.codesTitle} onClose={onClose}>
      <RecoveryCodes codes={codes} onClose={onClose} />
    </Dialog>
  )
}

/** The codes, to be copied or saved. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <>
      <p>{s.security.codesAbout}</p>
      <pre class="recovery-codes" dir="ltr">
        {text}
      </pre>
      <div class="dialog-buttons">
        <CopyButton value={text} />
        <Button onClick={() => save(text)}>{s.security.download}</Button>
        <Button kind="main" onClick={onClose}>
          {s.security.codesSaved}
        </Button>
      </div>
    </>
  )
}

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = 'recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}
