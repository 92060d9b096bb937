import { useEffect } from 'preact/hooks'
import { loadUploads, removeUpload } from '../../actions/own-account.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfMessage } from '../../navigation.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from './fetched.tsx'

/** Number of rows; the newest come first. */
const SHOWN = 500

/** Files that the user has uploaded, and where they are used. */
export function UploadsSection() {
  watch('attachments')
  const fetched = useFetched(loadUploads)
  useEffect(
    () => () => {
      // Fetched each time: events of files are followed only while they are shown.
      state.attachments = undefined
    },
    [],
  )
  const files = [...(state.attachments?.values() ?? [])].sort((a, b) => b.create_time - a.create_time)
  const used = files.reduce((sum, { size }) => sum + size, 0)
  return (
    <Part hint={files.length > 0 ? s.uploads.used({ count: files.length, size: sizeOf(used) }) : undefined}>
      <FetchedList of={{ ...fetched, value: fetched.value && files }} nothing={s.uploads.nothing}>
        {(list) => (
          <ul class="items">
            {list.slice(0, SHOWN).map(({ id, name, path_id, size, create_time, message_ids }) => (
              <li key={id} class="item">
                <span class="item-main settings-code">
                  <a href={`/user_uploads/${path_id}`} target="_blank" rel="noopener noreferrer">
                    {name}
                  </a>
                  <span class="small soft">
                    <span {...tip(wholeTime(create_time))}>{ago(create_time)}</span> · {sizeOf(size)}
                    {message_ids.length === 0 && ` · ${s.uploads.unused}`}
                    {message_ids.map((message) => (
                      <span key={message}>
                        {' · '}
                        <a href={hrefOfMessage(message)}>{s.uploads.message(message)}</a>
                      </span>
                    ))}
                  </span>
                </span>
                <ActButton
                  kind="danger"
                  label={s.remove(name)}
                  question={{ title: s.uploads.question(name), text: s.uploads.questionHint }}
                  onAct={() => refusalOf(removeUpload(id))}
                >
                  {s.removeShort}
                </ActButton>
              </li>
            ))}
          </ul>
        )}
      </FetchedList>
    </Part>
  )
}
