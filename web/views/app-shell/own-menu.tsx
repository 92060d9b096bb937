import { changeSettings } from '../../actions/personal.ts'
import { endSession } from '../../actions/session.ts'
import { setWholeStatus, statusExpiry } from '../../actions/status.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import { quiet, setQuiet } from '../../notifications/quiet.ts'
import { maySeeInvitations } from '../../state/people-permissions.ts'
import { endOfPause, isQuiet } from '../../state/quiet.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { comingTime } from '../../ui/coming-time.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { attempt } from '../announcement.tsx'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { PresenceDot } from '../people/presence-dot.tsx'
import { isHelpOpen, ownDialog } from '../preferences.ts'

export { loadFrameTexts } from '../../texts/frame.ts'

const SCHEMES = [1, 3, 2] as const
const PAUSES = ['half', 'hour', 'tomorrow'] as const

/** The user's own menu: status, notifications of this browser, appearance, log-out. */
export function OwnMenu({ anchor, onClose }: { readonly anchor: Element; readonly onClose: () => void }) {
  watch('settings', `status ${state.me}`)
  const me = state.users.get(state.me)!
  const isVisible = state.settings.presence_enabled
  return (
    <Menu anchor={anchor} align="end" label={t.ownMenu.label(me.full_name)} onClose={onClose}>
      <p class="menu-note">
        <PresenceDot userId={state.me} /> {me.full_name}
      </p>
      <StatusItems />
      <MenuItem icon="invisible" onClick={() => attempt(changeSettings({ presence_enabled: !isVisible }))}>
        {isVisible ? f.goInvisible : f.goVisible}
      </MenuItem>
      <MenuLine />
      <PauseItems />
      <MenuLine />
      <MenuItem icon="edit" href="#settings/profile">
        {f.editProfile}
      </MenuItem>
      <MenuItem icon="byPerson" href={hrefOf([{ operator: 'sender', operand: state.me }])}>
        {t.ownMenu.ownMessages}
      </MenuItem>
      <MenuItem icon="gear" href="#settings">
        {t.views.settings}
      </MenuItem>
      {maySeeInvitations(state) && (
        <MenuItem icon="invite" href="#organization/invitations">
          {t.invite}
        </MenuItem>
      )}
      <MenuItem
        icon="keyboard"
        hint="?"
        onClick={() => {
          isHelpOpen.value = true
        }}
      >
        {t.help.title}
      </MenuItem>
      <MenuLine />
      <p class="menu-note">{f.palette.theme}</p>
      {SCHEMES.map((scheme) => (
        <MenuItem
          key={scheme}
          icon={scheme === 2 ? 'moon' : scheme === 3 ? 'sun' : 'system'}
          checked={state.settings.color_scheme === scheme}
          stays
          onClick={() => attempt(changeSettings({ color_scheme: scheme }))}
        >
          {t.schemes[scheme]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="logOut" onClick={() => attempt(endSession())}>
        {t.ownMenu.logOut}
      </MenuItem>
    </Menu>
  )
}

/** A menu returns the focus when it closes, so it opens a surface after that. */
function open(dialog: 'status' | 'quiet'): () => void {
  return () => {
    setTimeout(() => {
      ownDialog.value = dialog
    })
  }
}

function StatusItems() {
  const { status_text, emoji_name, emoji_code, reaction_type } = state.statuses.get(state.me) ?? {}
  if (!status_text && !emoji_code) {
    return (
      <MenuItem icon="status" onClick={open('status')}>
        {f.status.set}
      </MenuItem>
    )
  }
  const until = statusExpiry()
  return (
    <>
      <p class="menu-note own-status">
        {emoji_name && emoji_code && reaction_type && (
          <EmojiGlyph emoji={{ emoji_name, emoji_code, reaction_type }} />
        )}
        <span>{status_text}</span>
        {until !== undefined && <span>{f.status.until(comingTime(until / 1_000))}</span>}
      </p>
      <MenuItem icon="status" onClick={open('status')}>
        {f.status.edit}
      </MenuItem>
      <MenuItem icon="close" onClick={() => attempt(setWholeStatus('', undefined))}>
        {f.status.clear}
      </MenuItem>
    </>
  )
}

function PauseItems() {
  const now = new Date()
  const isPaused = quiet.value.until > now.getTime()
  return (
    <>
      <p class="menu-note">
        {isPaused
          ? f.quiet.isOn(comingTime(quiet.value.until / 1_000))
          : isQuiet(quiet.value, now)
            ? f.quiet.isScheduled
            : f.quiet.title}
      </p>
      {isPaused ? (
        <MenuItem icon="bell" onClick={() => setQuiet({ until: 0 })}>
          {f.quiet.resume}
        </MenuItem>
      ) : (
        PAUSES.map((pause) => (
          <MenuItem
            key={pause}
            icon="snooze"
            onClick={() => setQuiet({ until: endOfPause(pause, new Date()) })}
          >
            {f.quiet.pauses[pause]}
          </MenuItem>
        ))
      )}
      <MenuItem icon="snooze" onClick={open('quiet')}>
        {f.quiet.schedule}
      </MenuItem>
    </>
  )
}
