import './setting-row.css'
import { useEffect, useId, useState } from 'preact/hooks'
import { Refusal } from './refusal.tsx'
import type { Act } from './use-action.tsx'

interface FileButtonProps {
  readonly kind?: 'plain' | 'main'
  readonly accept?: string
  /** Label for screen readers, where the text alone is ambiguous. */
  readonly label?: string
  readonly hint?: string
  readonly onAct: Act<File>
  readonly children: string
}

/** A button that asks for a file, whose name is beside it until the action is over. */
export function FileButton({ onAct, hint, ...props }: FileButtonProps) {
  const [chosen, setChosen] = useState('')
  const [refusal, setRefusal] = useState('')
  const hintId = useId()
  const onChange = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (!file) return
    setChosen(file.name)
    setRefusal('')
    const said = await onAct(file)
    input.value = ''
    setChosen('')
    setRefusal(said ?? '')
  }
  return (
    <span class="act">
      <FilePicker
        {...props}
        chosen={chosen}
        disabled={chosen !== ''}
        describedBy={hint === undefined ? undefined : hintId}
        onChange={onChange}
      />
      {hint !== undefined && (
        <span id={hintId} class="setting-hint">
          {hint}
        </span>
      )}
      <Refusal>{refusal}</Refusal>
    </span>
  )
}

interface PictureFieldProps {
  readonly label: string
  readonly name: string
  readonly accept: string
  readonly children: string
}

/** A field of a form for a picture, which has to be chosen, and is shown then. */
export function PictureField({ label, children, ...props }: PictureFieldProps) {
  const [chosen, setChosen] = useState<File>()
  return (
    <div class="labelled">
      <span>{label}</span>
      <div class="picture-field">
        {chosen && <Preview file={chosen} />}
        <FilePicker
          {...props}
          required
          label={`${label}: ${children}`}
          chosen={chosen?.name ?? ''}
          onChange={({ files }) => setChosen(files?.[0])}
        >
          {children}
        </FilePicker>
      </div>
    </div>
  )
}

function Preview({ file }: { readonly file: File }) {
  const [address, setAddress] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address === '' ? null : <img class="picture-preview" src={address} alt="" />
}

interface FilePickerProps {
  readonly kind?: 'plain' | 'main'
  readonly name?: string
  readonly accept?: string
  readonly label?: string | undefined
  readonly describedBy?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  /** The name of the chosen file; empty without one. */
  readonly chosen: string
  readonly onChange: (input: HTMLInputElement) => unknown
  readonly children: string
}

/** The browser's own field, whose words are in the language of the browser, lies unseen over the button. */
function FilePicker({
  kind = 'plain',
  label,
  describedBy,
  chosen,
  onChange,
  children,
  ...props
}: FilePickerProps) {
  return (
    <span class="file-picker">
      <label class={kind === 'plain' ? 'button file-button' : `button button-${kind} file-button`}>
        {children}
        <input
          {...props}
          type="file"
          aria-label={label}
          aria-describedby={describedBy}
          // Without a title of its own, the field has one in the language of the browser.
          title=" "
          // Chromium opens the dialog for the space bar alone.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            event.currentTarget.click()
          }}
          onChange={(event) => onChange(event.currentTarget)}
        />
      </label>
      {chosen !== '' && (
        <bdi class="file-name" role="status">
          {chosen}
        </bdi>
      )}
    </span>
  )
}
