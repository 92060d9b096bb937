import { useEffect, useState } from 'preact/hooks'
import { deleteEmoji, uploadEmoji } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { mayAddEmoji, mayRemoveEmoji } from '../../state/organization-permissions.ts'
import { s } from '../../texts/settings.ts'
import { PictureField } from '../../ui/file-button.tsx'
import type { Question } from '../../ui/question.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { allEmoji, loadEmoji } from '../emoji/emoji-data.ts'
import { refusalOf } from '../settings/fetched.tsx'
import { PICTURES } from '../settings/profile.tsx'
import { realName } from '../words.ts'

/** Returns the name of an emoji as it was typed: the server takes no spaces and capitals. */
function nameIn(typed: string): string {
  return typed.trim().toLowerCase().split(/\s+/).join('_')
}

/** Returns what is asked before an emoji takes the place of one that everybody has. */
function questionFor(form: FormData): Question | undefined {
  const name = nameIn(String(form.get('name')))
  if (!allEmoji().some((one) => one.type === 'unicode_emoji' && one.name === name)) return undefined
  const { replaceQuestion, replaceHint } = s.organization
  return { title: replaceQuestion(name), text: replaceHint, button: s.keyboard.replace }
}

/** Emoji that the organization has added. */
export function EmojiSection() {
  watch('emoji', 'organization', 'me', 'group')
  // The field is a new one after each, since its form empties it.
  const [added, setAdded] = useState(0)
  // Without their names nothing is asked.
  useEffect(() => void loadEmoji().catch(() => {}), [])
  const emoji = Object.values(state.emoji)
    .filter(({ deactivated }) => !deactivated)
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <Part>
      {mayAddEmoji(state) && (
        <ActForm
          line
          button={s.add}
          questionFor={questionFor}
          onDone={() => setAdded(added + 1)}
          onAct={(form) =>
            refusalOf(uploadEmoji(nameIn(String(form.get('name'))), form.get('picture') as File))
          }
        >
          <label class="labelled">
            <span>{s.organization.emojiName}</span>
            <input
              class="field settings-emoji-name"
              name="name"
              required
              maxLength={60}
              autocapitalize="none"
              autocomplete="off"
            />
          </label>
          <PictureField key={added} label={s.profile.picture} name="picture" accept={PICTURES}>
            {s.choose}
          </PictureField>
        </ActForm>
      )}
      {emoji.length === 0 ? (
        <p class="setting-nothing">{s.organization.noEmoji}</p>
      ) : (
        <ul class="items spaced">
          {emoji.map(({ id, name, source_url, still_url, author_id }) => (
            <li key={id} class="item">
              <img
                class="settings-emoji"
                src={still_url ?? source_url}
                alt=""
                width={28}
                height={28}
                loading="lazy"
              />
              <span class="item-main">
                :{name}:<span class="small soft">{author_id === null ? '' : realName(author_id)}</span>
              </span>
              {mayRemoveEmoji(state, author_id) && (
                <ActButton
                  kind="danger"
                  label={s.remove(name)}
                  question={{ title: s.organization.emojiQuestion(name), text: s.organization.emojiHint }}
                  onAct={() => refusalOf(deleteEmoji(name))}
                >
                  {s.removeShort}
                </ActButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
