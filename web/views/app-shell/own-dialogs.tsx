import { useState } from 'preact/hooks'
import type { EmojiChoice } from '../../actions/reactions.ts'
import { setWholeStatus, statusExpiry } from '../../actions/status.ts'
import { state } from '../../chat.ts'
import { quiet, setQuiet } from '../../notifications/quiet.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { comingTime } from '../../ui/coming-time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt } from '../announcement.tsx'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { EmojiPicker } from '../emoji/lazy-picker.ts'
import { ownDialog } from '../preferences.ts'
import { OrganizationsDialog } from './organizations-dialog.tsx'

export { loadFrameTexts } from '../../texts/frame.ts'

type Expiry = keyof typeof f.status.expiries

interface Preset {
  readonly name: keyof typeof f.status.names
  readonly emoji_name: string
  readonly emoji_code: string
  readonly expiry: Expiry
}

const PRESETS: readonly Preset[] = [
  { name: 'meeting', emoji_name: 'calendar', emoji_code: '1f4c5', expiry: 'hour' },
  { name: 'commuting', emoji_name: 'bus', emoji_code: '1f68c', expiry: 'half' },
  { name: 'sick', emoji_name: 'face_with_thermometer', emoji_code: '1f912', expiry: 'today' },
  { name: 'away', emoji_name: 'palm_tree', emoji_code: '1f334', expiry: 'never' },
  { name: 'remote', emoji_name: 'house', emoji_code: '1f3e0', expiry: 'today' },
]

/** The dialog that was asked for. */
export function OwnDialog() {
  const close = () => {
    ownDialog.value = undefined
  }
  if (ownDialog.value === 'organizations') return <OrganizationsDialog onClose={close} />
  return ownDialog.value === 'quiet' ? <QuietDialog onClose={close} /> : <StatusDialog onClose={close} />
}

const EXPIRIES = ['never', 'half', 'hour', 'four', 'today', 'week'] as const

/** Returns the milliseconds at which a status ends; weeks end on Sunday. */
function endOf(expiry: Expiry): number | undefined {
  const now = new Date()
  const midnight = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime()
  switch (expiry) {
    case 'never':
      return undefined
    case 'half':
      return now.getTime() + 30 * 60_000
    case 'hour':
      return now.getTime() + 60 * 60_000
    case 'four':
      return now.getTime() + 4 * 60 * 60_000
    case 'today':
      return midnight(1)
    case 'week':
      return midnight(8 - (now.getDay() || 7))
  }
}

function StatusDialog({ onClose }: { readonly onClose: () => void }) {
  const { status_text = '', emoji_name, emoji_code, reaction_type } = state.statuses.get(state.me) ?? {}
  const [text, setText] = useState(status_text)
  const [emoji, setEmoji] = useState<EmojiChoice | undefined>(
    emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : undefined,
  )
  const [end] = useState(statusExpiry)
  // A status that has an end keeps it, unless another one is chosen.
  const [expiry, setExpiry] = useState<Expiry | 'kept'>(end === undefined ? 'never' : 'kept')
  const [anchor, setAnchor] = useState<Element>()
  const isEmpty = text.trim() === '' && !emoji
  return (
    <Dialog title={f.status.title} onClose={onClose}>
      <form
        class="own-form"
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          void attempt(
            setWholeStatus(text.trim(), emoji, isEmpty ? undefined : expiry === 'kept' ? end : endOf(expiry)),
          )
        }}
      >
        <div class="own-line">
          <input
            class="field"
            dir="auto"
            aria-label={f.status.text}
            placeholder={f.status.text}
            maxLength={60}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={f.status.emoji}
            aria-haspopup="dialog"
            onClick={(event) => setAnchor(event.currentTarget)}
          >
            {emoji ? <EmojiGlyph emoji={emoji} /> : <Icon name="emoji" />}
          </button>
          {emoji && <IconButton icon="close" label={f.status.noEmoji} onClick={() => setEmoji(undefined)} />}
        </div>
        {anchor && <EmojiPicker anchor={anchor} onChoose={setEmoji} onClose={() => setAnchor(undefined)} />}
        <fieldset class="own-presets" aria-label={f.status.presets}>
          {PRESETS.map(({ name, expiry: usual, ...rest }) => {
            const chosen = { ...rest, reaction_type: 'unicode_emoji' as const }
            return (
              <button
                key={name}
                type="button"
                class="menu-item"
                onClick={() => {
                  setText(f.status.names[name])
                  setEmoji(chosen)
                  setExpiry(usual)
                }}
              >
                <EmojiGlyph emoji={chosen} />
                <span>{f.status.names[name]}</span>
                <span class="soft small">{f.status.expiries[usual]}</span>
              </button>
            )
          })}
        </fieldset>
        <label class="labelled">
          <span>{f.status.clearAfter}</span>
          <select
            class="field"
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry | 'kept')}
          >
            {end !== undefined && <option value="kept">{f.status.until(comingTime(end / 1_000))}</option>}
            {EXPIRIES.map((one) => (
              <option key={one} value={one}>
                {f.status.expiries[one]}
              </option>
            ))}
          </select>
        </label>
        {expiry !== 'never' && <p class="small soft">{f.status.expiryHint}</p>}
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="main" type="submit">
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The times of the day at which this browser is quiet. */
function QuietDialog({ onClose }: { readonly onClose: () => void }) {
  const [{ from, to, isDaily }, change] = useState(quiet.value)
  return (
    <Dialog title={f.quiet.schedule} onClose={onClose}>
      <form
        class="own-form"
        onSubmit={(event) => {
          event.preventDefault()
          setQuiet({ from, to, isDaily })
          onClose()
        }}
      >
        <p class="soft">{f.quiet.scheduleHint}</p>
        <label class="own-line">
          <input
            type="checkbox"
            checked={isDaily}
            onChange={(event) => {
              const isOn = event.currentTarget.checked
              change((before) => ({ ...before, isDaily: isOn }))
            }}
          />
          {f.quiet.daily}
        </label>
        <div class="own-line">
          {(['from', 'to'] as const).map((end) => (
            <label key={end} class="labelled">
              <span>{f.quiet[end]}</span>
              <input
                class="field"
                type="time"
                required
                disabled={!isDaily}
                value={end === 'from' ? from : to}
                onInput={(event) => {
                  const time = event.currentTarget.value
                  change((before) => ({ ...before, [end]: time }))
                }}
              />
            </label>
          ))}
        </div>
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="main" type="submit">
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
