import type { TusForm } from '../../api/define-endpoint.ts'
import { CHUNK_TYPE } from '../../model/uploads/resumable-upload.ts'
import { headerName, TUS_VERSION } from '../files/tus.ts'
import type { DescribedParameter } from './openapi-parameters.ts'

const VERSION_HEADER = {
  name: 'Tus-Resumable',
  in: 'header',
  required: true,
  schema: { const: TUS_VERSION },
}

/** Headers that OpenAPI describes in another way. */
const DESCRIBED_ELSEWHERE = new Set(['content_type', 'content_length'])

/** Describes an operation of the tus protocol; `content`: the description of an answer's body. */
export function describeTus(
  { chunk, answers, answerHeaders }: TusForm,
  parameters: readonly DescribedParameter[],
  content: object,
) {
  const headers = Object.fromEntries(answerHeaders.map((name) => [name, { schema: { type: 'string' } }]))
  const inHeaders = parameters.filter(({ name }) => !DESCRIBED_ELSEWHERE.has(name)).map(headerParameter)
  return {
    parameters: [VERSION_HEADER, ...inHeaders],
    ...(chunk ? { requestBody: chunkBody(chunk === 'required') } : {}),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, { description, hasBody }]) => [
        status,
        {
          description,
          ...(answerHeaders.length > 0 ? { headers } : {}),
          ...(hasBody ? { content } : {}),
        },
      ]),
    ),
  }
}

function headerParameter({ name, required, schema, description }: DescribedParameter): object {
  return {
    name: headerName(name),
    in: 'header',
    required,
    ...(description === undefined ? {} : { description }),
    schema,
  }
}

function chunkBody(required: boolean): object {
  return {
    required,
    content: { [CHUNK_TYPE]: { schema: { type: 'string', contentMediaType: CHUNK_TYPE } } },
  }
}
