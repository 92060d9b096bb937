import './door.css'
import { useEffect, useState } from 'preact/hooks'
import {
  DoorError,
  logIn,
  logInByClick,
  lookAtOrganization,
  type OrganizationAtDoor,
  type PersonAtDoor,
  peopleAtDoor,
} from '../../api/door.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { HtmlText } from '../message/html-text.tsx'
import { OtherWays } from './other-ways.tsx'

/** The page for logging in. `onEnter` is called once the browser has a session. */
export function Door({ onEnter }: { readonly onEnter: () => void }) {
  const [organization, setOrganization] = useState<OrganizationAtDoor>()
  const [people, setPeople] = useState<readonly PersonAtDoor[]>([])
  const [refusal, setRefusal] = useState('')
  const [isBusy, setBusy] = useState(false)

  const look = () => {
    setRefusal('')
    lookAtOrganization().then(
      (found) => {
        setOrganization(found)
        document.title = found.name
      },
      (error) => setRefusal(sayWhy(error)),
    )
    peopleAtDoor().then(setPeople)
  }
  useEffect(look, [])

  const enter = async (knock: () => Promise<void>) => {
    setBusy(true)
    setRefusal('')
    try {
      await knock()
      onEnter()
    } catch (error) {
      setRefusal(sayWhy(error))
      setBusy(false)
    }
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    enter(() => logIn(String(form.get('username')), String(form.get('password'))))
  }

  if (!organization) {
    return (
      <main class="door">
        {refusal ? (
          <Empty title={t.door.unreachable}>
            <p>{refusal}</p>
            <Button onClick={look}>{t.tryAgain}</Button>
          </Empty>
        ) : (
          <Loading label={t.loading} />
        )}
      </main>
    )
  }
  return (
    <main class="door">
      <div class="door-card">
        <div class="door-head">
          {organization.icon && <Avatar url={organization.icon} name={organization.name} size={44} />}
          <h1>{organization.name}</h1>
        </div>
        <div class="door-about">
          <HtmlText html={organization.description} />
        </div>
        {refusal && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        {people.length > 0 && (
          <>
            <p class="small soft">{t.door.comeInAs}</p>
            <ul class="door-people">
              {people.map((person) => (
                <li key={person.email}>
                  <button
                    type="button"
                    class="door-person"
                    disabled={isBusy}
                    onClick={() => enter(() => logInByClick(person.email))}
                  >
                    <Avatar url={undefined} name={person.full_name} size={28} />
                    <span class="one-line">{person.full_name}</span>
                    <span>{t.roles[person.role] ?? ''}</span>
                  </button>
                </li>
              ))}
            </ul>
            <div class="door-or">{t.door.orWithPassword}</div>
          </>
        )}
        <form onSubmit={onSubmit} hidden={!organization.hasPassword}>
          <label class="labelled">
            <span>{t.door.email}</span>
            <input class="field" name="username" type="email" autocomplete="username" required />
          </label>
          <label class="labelled">
            <span>{t.door.password}</span>
            <input class="field" name="password" type="password" autocomplete="current-password" required />
          </label>
          <Button type="submit" kind="main" disabled={isBusy}>
            {t.door.logIn}
          </Button>
        </form>
        <OtherWays ways={organization.otherWays} />
        <p class="door-links">
          {organization.hasPassword && <a href="/accounts/password/reset/">{t.door.forgotten}</a>}
          {organization.isOpenToTheWeb && <a href="/public">{t.door.readPublic}</a>}
        </p>
      </div>
    </main>
  )
}

function sayWhy(error: unknown): string {
  if (error instanceof DoorError && error.message) return error.message
  return t.door.noAnswer
}
