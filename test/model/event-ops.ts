import { EVENT_TYPES } from '../../src/events/index.ts'

interface SchemaNode {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly options?: readonly unknown[]
  readonly literal?: unknown
}

/** The `op` values that a type's delivered forms have, from its schema; none for types without. */
export function opsOf(type: string): string[] {
  return [...new Set(collectOps(EVENT_TYPES.get(type)!.schema as unknown as SchemaNode))].sort()
}

function collectOps(schema: SchemaNode): string[] {
  if (schema.type === 'union' || schema.type === 'variant') {
    return (schema.options as SchemaNode[]).flatMap(collectOps)
  }
  const op = schema.entries?.op
  if (!op) return []
  return op.type === 'literal' ? [String(op.literal)] : (op.options as string[]).map(String)
}
