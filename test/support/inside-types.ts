/** Types of the server's insides, for tests and helpers that pass its parts on. */

export type { ParameterSchemas } from '../../src/api/define-endpoint.ts'
export type { RealmCall } from '../../src/core/call.ts'
export type { JsonText } from '../../src/core/json.ts'
export type { D1Write, RealmTransaction, StoredEvent } from '../../src/core/realm-transaction.ts'
export type { RowCounts, WritableSql } from '../../src/core/sql.ts'
export type { DevEnvironment } from '../../src/dev/realm-object.ts'
export type { Environment } from '../../src/http/environment.ts'
export type { NeutralType } from '../../src/imports/neutral.ts'
export type { RawNarrowTerm } from '../../src/model/messages/narrow/narrow-terms.ts'
export type { CrashPoint, Runtime } from '../../src/realm/runtime.ts'
export type { NewChannel } from '../../src/store/channels/channel-rows.ts'
export type { SchemaStep } from '../../src/store/schema/schema.ts'
