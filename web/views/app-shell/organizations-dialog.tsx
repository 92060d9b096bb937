import '../../ui/setting-row.css'
import { useState } from 'preact/hooks'
import { state } from '../../chat.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { announce } from '../announcement.tsx'
import {
  addOrganization,
  askByMail,
  askForCount,
  keep,
  MAX_ORGANIZATIONS,
  originOf,
  otherOrganizations,
  removeOrganization,
  unreadElsewhere,
} from './organizations-state.ts'

/** The list of the user's other organizations in this browser. */
export function OrganizationsDialog({ onClose }: { readonly onClose: () => void }) {
  const [refusal, setRefusal] = useState('')
  const all = otherOrganizations.value
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const fields = new FormData(form)
    const url = originOf(String(fields.get('address')))
    if (!url || url === location.origin) {
      setRefusal(url ? f.organizations.isThis : f.organizations.isNone)
      return
    }
    setRefusal('')
    const name = String(fields.get('name')).trim()
    addOrganization({ url, name: name || new URL(url).host })
    form.reset()
  }
  const email = state.users.get(state.me)?.delivery_email
  const mail = async (to: string) => {
    const isSent = await askByMail(to).catch(() => false)
    if (isSent) announce(f.organizations.mailed(to))
    setRefusal(isSent ? '' : f.organizations.notMailed)
  }
  const remove = (url: string, name: string) => {
    removeOrganization(url)
    announce(f.organizations.removed(name), async () => keep(all))
  }
  return (
    <Dialog title={f.organizations.title} onClose={onClose}>
      <p class="soft">{f.organizations.hint}</p>
      {all.length > 0 && (
        <ul class="items spaced">
          {all.map(({ url, name }) => (
            <li key={url} class="item">
              <a class="item-main" href={url}>
                {name}
                <span class="small soft"> {new URL(url).host}</span>
              </a>
              {unreadElsewhere.value.has(url) ? (
                <span class="small soft">{t.unread(unreadElsewhere.value.get(url)!)}</span>
              ) : (
                <Button onClick={() => askForCount(url)}>{f.organizations.showCount}</Button>
              )}
              <IconButton
                icon="close"
                label={f.organizations.remove(name)}
                onClick={() => remove(url, name)}
              />
            </li>
          ))}
        </ul>
      )}
      <form class="own-form" onSubmit={add}>
        <label class="labelled">
          <span>{f.organizations.address}</span>
          <input
            class="field"
            name="address"
            required
            maxLength={200}
            placeholder="chat.example.com"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <label class="labelled">
          <span>{f.organizations.name}</span>
          <input class="field" name="name" maxLength={60} autocomplete="off" />
        </label>
        {email && (
          <div>
            <p class="small soft">{f.organizations.mailHint}</p>
            <Button onClick={() => mail(email)}>{f.organizations.mail}</Button>
          </div>
        )}
        <Refusal>{refusal}</Refusal>
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.close}</Button>
          <Button kind="main" type="submit" disabled={all.length >= MAX_ORGANIZATIONS}>
            {f.organizations.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
