import {
  deactivateOrganization,
  deleteIcon,
  deleteLogo,
  saveOrganization,
  tryWelcomeText,
  uploadIcon,
  uploadLogo,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { mayChangeOrganization } from '../../state/organization-permissions.ts'
import { isOwner } from '../../state/own-permissions.ts'
import { s } from '../../texts/settings.ts'
import { LANGUAGE_CHOICES } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { ChoiceRow, Part, TextRow } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { MarkdownRow } from '../compose/form-fields.ts'
import { refusalOf } from '../settings/fetched.tsx'
import { PICTURES } from '../settings/profile.tsx'

const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const
const MAX_WELCOME = 8_000

/** The name and the pictures of the organization, which are also shown before login. */
export function OrganizationProfileSection() {
  watch('organization', 'me')
  const { name, description, icon_url, icon_source, default_language } = state.organization
  const disabled = !mayChangeOrganization(state, 'name')
  const save = (property: string) => (value: unknown) => refusalOf(saveOrganization(property, value))
  return (
    <>
      <Part title={s.organization.icon}>
        <div class="settings-picture">
          <Avatar url={icon_url} name={name} size={72} />
          <FileButton accept={PICTURES} onAct={(file) => refusalOf(uploadIcon(file))}>
            {s.profile.upload}
          </FileButton>
          {icon_source === 'U' && (
            <ActButton
              question={{ title: s.profile.pictureQuestion, text: s.profile.pictureQuestionHint }}
              onAct={() => refusalOf(deleteIcon())}
            >
              {s.profile.removePicture}
            </ActButton>
          )}
        </div>
      </Part>
      <Part title={s.organization.logo} hint={s.organization.logoHint}>
        <Logo night={false} />
        <Logo night />
      </Part>
      <Part title={s.organization.about}>
        <TextRow
          label={s.profile.name}
          value={name}
          required
          maxLength={40}
          disabled={disabled}
          onSave={save('name')}
        />
        <MarkdownRow
          label={s.organization.description}
          hint={s.organization.descriptionHint}
          value={description}
          maxLength={1_000}
          disabled={disabled}
          onSave={save('description')}
        />
        <ChoiceRow
          label={s.organization.language}
          value={default_language as string}
          choices={LANGUAGE_CHOICES}
          disabled={disabled}
          onSave={save('default_language')}
        />
        <ChoiceRow
          label={s.organizationMore.type}
          value={state.organization.org_type}
          choices={ORGANIZATION_TYPES.map(
            (type) => [type as number, s.organizationMore.types[type]] as const,
          )}
          disabled={!mayChangeOrganization(state, 'org_type')}
          onSave={save('org_type')}
        />
        <dl class="settings-facts">
          <div>
            <dt>{s.organizationMore.address}</dt>
            <dd>{location.origin}</dd>
            <dd class="setting-hint">{s.organizationMore.addressHint}</dd>
          </div>
        </dl>
      </Part>
      <Welcome />
      {isOwner(state) && (
        <Part title={s.organization.close} hint={s.organization.closeHint}>
          <ActButton
            kind="danger"
            question={{ title: s.organization.closeQuestion(name), text: s.organization.closeHint }}
            onAct={async () => {
              const refusal = await refusalOf(deactivateOrganization())
              if (refusal === undefined) location.assign('/accounts/deactivated/')
              return refusal
            }}
          >
            {s.organization.close}
          </ActButton>
        </Part>
      )}
    </>
  )
}

/** The message with which new members are welcomed. */
function Welcome() {
  const text = state.organization.welcome_message_custom_text ?? ''
  return (
    <Part title={s.organizationMore.welcome} hint={s.organizationMore.welcomeHint}>
      <MarkdownRow
        label={s.organizationMore.welcomeText}
        value={text}
        maxLength={MAX_WELCOME}
        onSave={(wanted) => refusalOf(saveOrganization('welcome_message_custom_text', wanted))}
      />
      {text !== '' && (
        <ActButton
          onAct={() => refusalOf(tryWelcomeText(text).then(() => announce(s.organizationMore.welcomeSent)))}
        >
          {s.organizationMore.welcomeTry}
        </ActButton>
      )}
    </Part>
  )
}

/** The logo, at the upper edge of clients that show one; `night`: for dark themes. */
function Logo({ night }: { readonly night: boolean }) {
  const { organization } = state
  const isOwn = (night ? organization.night_logo_source : organization.logo_source) === 'U'
  const url = (night ? organization.night_logo_url : organization.logo_url) as string
  const name = night ? s.organization.logoOnDark : s.organization.logoOnLight
  return (
    <div class="settings-logo-line">
      <span class="settings-logo" data-night={night}>
        {isOwn ? <img src={url} alt={name} height={32} /> : <span>{name}</span>}
      </span>
      <FileButton
        accept={PICTURES}
        label={`${s.profile.upload}: ${name}`}
        onAct={(file) => refusalOf(uploadLogo(file, night))}
      >
        {s.profile.upload}
      </FileButton>
      {isOwn && (
        <ActButton
          label={s.remove(name)}
          question={{ title: s.profile.pictureQuestion, text: s.profile.pictureQuestionHint }}
          onAct={() => refusalOf(deleteLogo(night))}
        >
          {s.profile.removePicture}
        </ActButton>
      )}
    </div>
  )
}
