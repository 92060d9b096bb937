import { saveOrganization } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { ChoiceRow, Part, TextRow } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** 0: none, 1: Jitsi. */
const CALL_PROVIDERS = [0, 1] as const
/** What is used for calls, and for code blocks. */
export function CallsAndCode() {
  watch('organization')
  const { organization } = state
  const save = (name: string) => (value: unknown) => refusalOf(saveOrganization(name, value))
  const { calls } = s
  return (
    <Part title={calls.title}>
      <ChoiceRow
        label={calls.provider}
        value={organization.video_chat_provider as number}
        choices={CALL_PROVIDERS.map((one) => [one as number, calls.providers[one]] as const)}
        onSave={save('video_chat_provider')}
      />
      {organization.video_chat_provider === 1 && (
        <TextRow
          label={calls.jitsi}
          hint={calls.jitsiHint}
          type="url"
          value={(organization.jitsi_server_url as string | null) ?? ''}
          maxLength={200}
          onSave={(url) => save('jitsi_server_url')(url.trim() === '' ? 'default' : url.trim())}
        />
      )}
      <TextRow
        label={calls.code}
        hint={calls.codeHint}
        value={(organization.default_code_block_language as string | undefined) ?? ''}
        maxLength={40}
        onSave={(language) => save('default_code_block_language')(language.trim())}
      />
    </Part>
  )
}
