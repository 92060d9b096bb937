import { saveOrganization } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { availableCallProviders } from '../../state/calls.ts'
import { s } from '../../texts/settings.ts'
import { ChoiceRow, Part, TextRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** The settings for calls, and for code blocks. */
export function CallsAndCode() {
  watch('organization')
  const { organization } = state
  const save = (name: string) => (value: unknown) => refusalOf(saveOrganization(name, value))
  const { calls } = s
  const chosen = organization.video_chat_provider
  const available = availableCallProviders(state)
  const choices = [
    ...available.map(({ id, name }) => [id, id === 0 ? calls.none : name] as const),
    // The server was connected with it when it was chosen.
    ...(available.some(({ id }) => id === chosen) ? [] : [[chosen, calls.gone] as const]),
  ]
  return (
    <Part title={calls.title}>
      <ChoiceRow
        label={calls.provider}
        hint={calls.providerHint}
        value={chosen}
        choices={choices}
        onSave={save('video_chat_provider')}
      />
      {chosen === 1 && (
        <TextRow
          label={calls.jitsi}
          hint={calls.jitsiHint}
          type="url"
          value={organization.jitsi_server_url ?? ''}
          maxLength={200}
          onSave={(url) => save('jitsi_server_url')(url.trim() === '' ? 'default' : url.trim())}
        />
      )}
      <TextRow
        label={calls.code}
        hint={calls.codeHint}
        value={organization.default_code_block_language ?? ''}
        maxLength={40}
        onSave={(language) => save('default_code_block_language')(language.trim())}
      />
    </Part>
  )
}
