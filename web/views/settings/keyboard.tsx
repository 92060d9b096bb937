import { useEffect, useRef, useState } from 'preact/hooks'
import { f } from '../../texts/frame.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { changedKeys, changeKey, keyInPlaceOf, keyOf, resetKeys, signOf } from '../../ui/keys.ts'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { announce } from '../announcement.tsx'
import { keyName } from '../help/key-name.ts'
import { KEY_GROUPS, KEYS, type KeyEntry, takerOf } from '../help/keyboard.ts'
import { setSingleKeys, usesSingleKeys } from '../preferences.ts'

/** Keys that belong to the browser, or to editing. */
const OF_THE_BROWSER = /^Ctrl\+[acfhlnprtvwxyz0+=-]$|^F\d+$|^Tab$/

/** The key that is being changed. */
interface Change {
  readonly entry: KeyEntry
  readonly usual: string
}

/** Every key of the page, each of which can be changed or turned off. */
export function KeyboardSection() {
  const [change, setChange] = useState<Change>()
  const hasChanges = Object.keys(changedKeys.value).length > 0
  const reset = () => {
    const before = changedKeys.value
    resetKeys()
    announce(s.keyboard.wereReset, async () => {
      for (const [usual, key] of Object.entries(before)) changeKey(usual, key)
    })
  }
  return (
    <>
      <Part hint={s.keyboard.hint}>
        <SwitchRow
          label={f.help.singleKeys}
          hint={f.help.singleKeysHint}
          value={usesSingleKeys.value}
          onSave={async (isOn) => {
            setSingleKeys(isOn)
            return undefined
          }}
        />
        <p>
          <Button disabled={!hasChanges} onClick={reset}>
            {s.keyboard.reset}
          </Button>
        </p>
      </Part>
      {KEY_GROUPS.map((group) => (
        <Part key={group} title={f.help.groups[group]}>
          <ul class="items">
            {KEYS.filter((entry) => entry.group === group).map((entry) => (
              <li key={entry.name} class="item">
                <span class="item-main">{keyName(entry)}</span>
                <span class="item-end keyboard-keys">
                  {entry.keys.map((usual) => (
                    <Key key={usual} entry={entry} usual={usual} onChange={setChange} />
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      ))}
      {change && <ChangeDialog {...change} onClose={() => setChange(undefined)} />}
    </>
  )
}

interface KeyProps extends Change {
  readonly onChange: (change: Change) => void
}

function Key({ entry, usual, onChange }: KeyProps) {
  const key = keyInPlaceOf(usual)
  const name = keyName(entry)
  // Without it, surfaces could not be closed.
  if (usual === 'Escape') return <kbd>{signOf(usual)}</kbd>
  return (
    <span class="keyboard-key">
      <button
        type="button"
        class="button"
        aria-label={
          key === '' ? s.keyboard.choose(name) : s.keyboard.change({ action: name, key: signOf(key) })
        }
        onClick={() => onChange({ entry, usual })}
      >
        {key === '' ? <span class="soft">{s.keyboard.none}</span> : <kbd>{signOf(key)}</kbd>}
      </button>
      {key !== '' && (
        <IconButton
          icon="close"
          label={s.keyboard.remove({ action: name, key: signOf(key) })}
          onClick={() => changeKey(usual, '')}
        />
      )}
    </span>
  )
}

interface ChangeDialogProps extends Change {
  readonly onClose: () => void
}

/** Waits for the new key, and shows what that key does already. */
function ChangeDialog({ entry, usual, onClose }: ChangeDialogProps) {
  const [key, setKey] = useState<string>()
  const waiting = useRef<HTMLParagraphElement>(null)
  useEffect(() => waiting.current?.focus(), [])
  const taker = key === undefined ? undefined : takerOf(key)
  const isTaken = taker !== undefined && taker.usual !== usual
  const isRefused = key !== undefined && (OF_THE_BROWSER.test(key) || key === 'Escape')
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = keyOf(event)
    if (pressed === undefined || pressed === 'Escape' || pressed === 'Tab') return
    // Once there is a key, Enter and the space bar press the buttons.
    if (key !== undefined && (pressed === 'Enter' || pressed === ' ')) return
    event.preventDefault()
    event.stopPropagation()
    setKey(pressed)
  }
  const save = () => {
    if (key === undefined) return
    if (isTaken) changeKey(taker.usual, '')
    changeKey(usual, key)
    onClose()
  }
  return (
    <Dialog title={keyName(entry)} onClose={onClose}>
      <div role="none" onKeyDown={onKeyDown}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the key that is pressed */}
        <p class="keyboard-wait" tabIndex={0} ref={waiting} role="status">
          {key === undefined ? s.keyboard.press : <kbd>{signOf(key)}</kbd>}
        </p>
        <p class="keyboard-said" role="alert">
          {isRefused && s.keyboard.ofTheBrowser}
          {!isRefused && isTaken && s.keyboard.isTaken(keyName(taker.entry))}
        </p>
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          {keyInPlaceOf(usual) !== usual && (
            <Button
              onClick={() => {
                const other = takerOf(usual)
                if (other) changeKey(other.usual, '')
                changeKey(usual, usual)
                onClose()
              }}
            >
              {s.keyboard.useUsual(signOf(usual))}
            </Button>
          )}
          <Button kind="main" disabled={key === undefined || isRefused} onClick={save}>
            {isTaken ? s.keyboard.replace : t.save}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
