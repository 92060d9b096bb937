import { EVENT_TYPES } from '../../src/events/index.ts'

interface SchemaNode {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly options?: readonly unknown[]
  readonly literal?: unknown
}

/** Returns the `op` values in a type's schema of delivered forms; none for types without `op`. */
export function opsOf(type: string): string[] {
  return [...new Set(collectOps(EVENT_TYPES.get(type)!.schema))].sort()
}

function collectOps(schema: SchemaNode): string[] {
  if (schema.type === 'union' || schema.type === 'variant') {
    return (schema.options as SchemaNode[]).flatMap(collectOps)
  }
  const op = schema.entries?.op
  if (!op) return []
  return op.type === 'literal' ? [String(op.literal)] : (op.options as string[]).map(String)
}
