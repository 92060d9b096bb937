import { deleteAvatar, saveProfileField, saveSetting, uploadAvatar } from '../../actions/own-account.ts'
import { setStatus, setStatusEmoji } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { myself } from '../../state/own-permissions.ts'
import { mayChangeOwn } from '../../state/people-permissions.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { attempt } from '../announcement.tsx'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { openEmojiPicker } from '../message/surface.ts'
import { refusalOf } from './fetched.tsx'
import { ProfileFieldRow } from './profile-field-row.tsx'

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
              {me.avatar_source === 'U' && (
                <ActButton
                  question={{ title: s.profile.pictureQuestion, text: s.profile.pictureQuestionHint }}
                  onAct={() => refusalOf(deleteAvatar())}
                >
                  {s.profile.removePicture}
                </ActButton>
              )}
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
          <ProfileFieldRow
            key={field.id}
            field={field}
            user={me}
            disabled={!field.editable_by_user && !me.is_admin}
            onSave={(value) => refusalOf(saveProfileField(field.id, value))}
          />
        ))}
      </Part>
      <p>
        {s.profile.role}
        {t.colon}
        {t.roles[me.role]}
      </p>
    </>
  )
}

function StatusEmoji() {
  watch(`status ${state.me}`, 'emoji')
  const {
    emoji_name = '',
    emoji_code = '',
    reaction_type = 'unicode_emoji',
  } = state.statuses.get(state.me) ?? {}
  return (
    <div class="act-line setting-below">
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
