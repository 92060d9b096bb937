import { deleteAvatar, saveProfileField, saveSetting, uploadAvatar } from '../../actions/own-account.ts'
import { setStatus, setStatusEmoji } from '../../actions/personal.ts'
import { fromJson } from '../../api/json.ts'
import { state, watch } from '../../chat.ts'
import { mayChangeOwn, myself } from '../../state/permissions.ts'
import type { ProfileField } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { ActButton, FileButton } from '../../ui/acting.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ChoiceRow, Part, TextRow } from '../../ui/setting-row.tsx'
import { attempt } from '../announcement.tsx'
import { EmojiGlyph } from '../message/reactions.tsx'
import { openEmojiPicker } from '../message/surfaces.tsx'
import { refusalOf } from './fetched.tsx'
import { PeopleRow } from './people-row.tsx'

/** Types of profile fields, by their API numbers. */
const FIELD = { longText: 2, choice: 3, date: 4, link: 5, people: 6 } as const

export const PICTURES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

/** The user's profile, as others see it. */
export function ProfileSection() {
  watch('me', `user ${state.me}`, `status ${state.me}`, 'organization', 'profile fields')
  const me = myself(state)
  const status = state.statuses.get(state.me)?.status_text ?? ''
  const mayChangeAvatar = mayChangeOwn(state, 'avatar')
  return (
    <>
      <Part title={s.profile.picture}>
        <div class="settings-picture">
          <Avatar url={me.avatar_url} name={me.full_name} size={72} />
          {mayChangeAvatar ? (
            <>
              <FileButton accept={PICTURES} onAct={(file) => refusalOf(uploadAvatar(file))}>
                {s.profile.upload}
              </FileButton>
              <ActButton onAct={() => refusalOf(deleteAvatar())}>{s.profile.removePicture}</ActButton>
            </>
          ) : (
            <span class="setting-hint">{s.fixedByOrganization}</span>
          )}
        </div>
      </Part>
      <Part title={s.profile.about}>
        <TextRow
          label={s.profile.name}
          value={me.full_name}
          required
          maxLength={100}
          autocomplete="name"
          disabled={!mayChangeOwn(state, 'name')}
          hint={mayChangeOwn(state, 'name') ? undefined : s.fixedByOrganization}
          onSave={(name) => refusalOf(saveSetting('full_name', name))}
        />
        <TextRow
          label={t.settings.status}
          value={status}
          maxLength={60}
          onSave={(text) => refusalOf(setStatus(text.trim()))}
        />
        <StatusEmoji />
        {state.profileFields.map((field) => (
          <FieldRow key={field.id} field={field} />
        ))}
      </Part>
      <p>
        {s.profile.role}: {t.roles[me.role]}
      </p>
    </>
  )
}

function StatusEmoji() {
  watch(`status ${state.me}`, 'emoji')
  const { emoji_name = '', emoji_code = '', reaction_type = '' } = state.statuses.get(state.me) ?? {}
  return (
    <div class="act-line">
      <button
        type="button"
        class="button"
        aria-haspopup="dialog"
        onClick={(event) =>
          openEmojiPicker(event.currentTarget, (emoji) => void attempt(setStatusEmoji(emoji)))
        }
      >
        {emoji_code ? (
          <EmojiGlyph emoji={{ emoji_name, emoji_code, reaction_type }} />
        ) : (
          <Icon name="emoji" />
        )}
        {t.settings.statusEmoji}
        {emoji_name && <span class="soft">:{emoji_name}:</span>}
      </button>
      {emoji_code && (
        <ActButton onAct={() => refusalOf(setStatusEmoji(undefined))}>{t.settings.noStatusEmoji}</ActButton>
      )}
    </div>
  )
}

function FieldRow({ field }: { readonly field: ProfileField }) {
  const { id, name, hint, type, field_data } = field
  const value = myself(state).profile_data?.[id]?.value ?? ''
  const disabled = !field.editable_by_user && !myself(state).is_admin
  const save = (wanted: string) => refusalOf(saveProfileField(id, wanted === '' ? null : wanted))
  const shared = { label: name, hint: hint || undefined, value, disabled, onSave: save }
  switch (type) {
    case FIELD.choice: {
      const choices = Object.entries(fromJson<Record<string, { text: string; order: string }>>(field_data))
        .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
        .map(([key, { text }]) => [key, text] as const)
      return <ChoiceRow {...shared} choices={[['', s.nothingChosen], ...choices]} />
    }
    case FIELD.people:
      return (
        <PeopleRow
          label={name}
          hint={hint || undefined}
          value={value === '' ? [] : fromJson<number[]>(value)}
          disabled={disabled}
          onSave={(ids) => refusalOf(saveProfileField(id, ids.length === 0 ? null : ids))}
        />
      )
    case FIELD.date:
      return <TextRow {...shared} type="date" />
    case FIELD.link:
      return <TextRow {...shared} type="url" />
    case FIELD.longText:
      return <TextRow {...shared} multiline maxLength={500} />
    default:
      return <TextRow {...shared} maxLength={50} />
  }
}
