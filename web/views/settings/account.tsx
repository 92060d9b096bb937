import { useState } from 'preact/hooks'
import { changeKeptMessages, setShared } from '../../actions/forget-kept.ts'
import { isShared, KEPT_MESSAGES, keptMessages } from '../../actions/offline.ts'
import { closeOwnAccount, saveSetting } from '../../actions/own-account.ts'
import { state, watch } from '../../chat.ts'
import { hasFullContentAccess } from '../../state/organization-permissions.ts'
import { myself } from '../../state/own-permissions.ts'
import { mayChangeOwn } from '../../state/people-permissions.ts'
import { locale } from '../../texts/locale.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { ChoiceRow, Part, SwitchRow } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { ConnectedAccounts } from './connected-accounts.tsx'
import { refusalOf, useFetched } from './fetched.tsx'
import { useShownSettings } from './shown-settings.ts'

/** Values of the setting for the visibility of the user's address, by how many people see it. */
const VISIBILITIES = [1, 2, 5, 3, 4] as const

const PRIVACY = [
  'presence_enabled',
  'send_read_receipts',
  'send_private_typing_notifications',
  'send_stream_typing_notifications',
  'allow_private_data_export',
] as const

/** The user's address, what others see of the user, and the end of the account. */
export function AccountSection() {
  watch('me', 'organization')
  return (
    <>
      <Email />
      <ConnectedAccounts />
      <Privacy />
      <Part title={s.account.thisBrowser}>
        {!isShared.value && <KeptMessages />}
        <SwitchRow
          label={t.auth.shared}
          hint={t.auth.sharedHint}
          value={isShared.value}
          onSave={async (isOn) => {
            setShared(isOn)
            return undefined
          }}
        />
      </Part>
      <Part title={s.account.close} hint={s.account.closeHint}>
        <ActButton
          kind="danger"
          question={{ title: s.account.closeQuestion, text: s.account.closeHint }}
          onAct={() => refusalOf(closeOwnAccount(s.account.closed))}
        >
          {s.account.close}
        </ActButton>
      </Part>
    </>
  )
}

/** How many messages the browser keeps for times without a network. */
function KeptMessages() {
  const { value: size } = useFetched(
    async () => (await import('../../actions/kept-state.ts')).archiveSize(),
    [keptMessages.value],
  )
  return (
    <ChoiceRow
      label={s.account.keptMessages}
      hint={size && s.account.keptHint({ count: size.count, size: sizeOf(size.bytes) })}
      value={keptMessages.value}
      choices={KEPT_MESSAGES.map(
        (limit) => [limit, limit === 0 ? s.account.keptNone : limit.toLocaleString(locale())] as const,
      )}
      onSave={(limit) => refusalOf(changeKeptMessages(limit))}
    />
  )
}

/** Privacy settings of the user. */
export function Privacy() {
  const { values, save } = useShownSettings()
  return (
    <Part title={s.account.privacy}>
      <ChoiceRow
        label={s.account.visibility}
        value={values.email_address_visibility}
        choices={VISIBILITIES.map((value) => [value as unknown, s.account.visibilities[value]] as const)}
        onSave={(value) => refusalOf(save('email_address_visibility', value))}
      />
      {PRIVACY.map((name) => (
        <SwitchRow
          key={name}
          label={s.account.switches[name]}
          hint={
            name === 'allow_private_data_export' && hasFullContentAccess(state)
              ? s.account.exportedAnyway
              : undefined
          }
          value={values[name] === true}
          onSave={(value) => refusalOf(save(name, value))}
        />
      ))}
    </Part>
  )
}

function Email() {
  watch('me', 'organization')
  const [sentTo, setSentTo] = useState('')
  const address = myself(state).delivery_email ?? ''
  return (
    <Part title={s.account.email}>
      <p>{address}</p>
      {mayChangeOwn(state, 'email') ? (
        <ActForm
          line
          button={s.change}
          onAct={async (form) => {
            const email = String(form.get('email'))
            const refusal = await refusalOf(saveSetting('email', email))
            if (refusal === undefined) setSentTo(email)
            return refusal
          }}
        >
          <label class="labelled">
            <span>{s.account.newEmail}</span>
            <input class="field" name="email" type="email" required autocomplete="email" />
          </label>
        </ActForm>
      ) : (
        <p class="setting-hint">{s.fixedByOrganization}</p>
      )}
      {sentTo && <p role="status">{s.account.confirmEmail(sentTo)}</p>}
    </Part>
  )
}
