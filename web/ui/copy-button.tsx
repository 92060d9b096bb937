import { useState } from 'preact/hooks'
import { s } from '../texts/settings.ts'
import { Button } from './button.tsx'

/** A button that copies a text, and says so until the text changes. */
export function CopyButton({ value }: { readonly value: string }) {
  const [copied, setCopied] = useState<string>()
  return (
    <Button
      onClick={() =>
        navigator.clipboard.writeText(value).then(
          () => setCopied(value),
          () => {},
        )
      }
    >
      {copied === value ? s.copied : s.copy}
    </Button>
  )
}
