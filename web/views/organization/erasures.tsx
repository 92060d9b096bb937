import './certificate.css'
import { useState } from 'preact/hooks'
import { type Erasure, loadErasures } from '../../actions/erasures.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { saveText } from '../../ui/save-text.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ErasePerson } from '../people-settings/erase-person.tsx'
import { FetchedList, useFetched } from '../settings/fetched.tsx'
import { PickPerson } from '../settings/people-row.tsx'
import { realName } from '../words.ts'
import { certificateText } from './certificate.ts'

/** The people who were erased, with their certificates, for owners. */
export function Erasures() {
  watch('user')
  const erasures = useFetched(loadErasures)
  const [userId, setUser] = useState<number>()
  const user = userId === undefined ? undefined : state.users.get(userId)
  return (
    <Part title={s.erasure.title} hint={s.erasure.hint}>
      <PickPerson
        label={s.erasure.whom}
        button={s.erasure.erase}
        hasClosed
        isLeftOut={({ is_bot }) => is_bot}
        onPick={setUser}
      />
      <FetchedList of={erasures} nothing={s.erasure.none}>
        {(list) => (
          <ul class="items">
            {list.map((one) => (
              <ErasureItem key={one.id} of={one} />
            ))}
          </ul>
        )}
      </FetchedList>
      {user && (
        <ErasePerson
          user={user}
          onClose={() => setUser(undefined)}
          onDone={() => {
            setUser(undefined)
            void erasures.reload()
          }}
        />
      )}
    </Part>
  )
}

function ErasureItem({ of }: { readonly of: Erasure }) {
  const [isOpen, setOpen] = useState(false)
  const { id, user_id, acting_user_id, asked_at, finished_at } = of
  const text = isOpen ? certificateText(of) : ''
  return (
    <li class="item">
      <span class="item-main">
        <bdi>{realName(user_id)}</bdi>
        <span class="small soft" {...tip(wholeTime(asked_at))}>
          {acting_user_id === null ? s.erasure.byRestore : realName(acting_user_id)} · {ago(asked_at)}
        </span>
      </span>
      {finished_at === null && <span class="soft">{s.erasure.goingOn}</span>}
      <Button label={`${s.erasure.certificate}: ${realName(user_id)}`} onClick={() => setOpen(true)}>
        {s.erasure.certificate}
      </Button>
      {isOpen && (
        <Dialog wide title={s.erasure.certificate} onClose={() => setOpen(false)}>
          <pre class="certificate" dir="auto">
            {text}
          </pre>
          <div class="dialog-buttons">
            <CopyButton value={text} />
            <Button onClick={() => saveText(`erasure-${id}.txt`, text)}>{s.security.download}</Button>
          </div>
        </Dialog>
      )}
    </li>
  )
}
