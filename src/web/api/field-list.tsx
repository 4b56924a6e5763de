import { WithCode } from './code-block.tsx'
import type { FieldWords } from './schema-words.ts'

/** What is sent or answered, field by field. */
export function FieldList({
  title,
  fields,
}: {
  title: string
  fields: readonly (FieldWords & { where?: string })[]
}) {
  if (fields.length === 0) return null
  return (
    <div className="grid gap-2">
      <p aria-hidden className="font-semibold">
        {title}
      </p>
      <dl aria-label={title} className="divide-y divide-line border-y border-line">
        {fields.map(({ name, type, required, description, where }) => (
          <div key={name} className="grid gap-x-5 gap-y-0.5 py-2.5 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="min-w-0">
              <code className="text-[0.875rem] font-semibold wrap-anywhere">{name}</code>
              <span className="block text-sm text-mute">
                {[type, where, required ? null : 'opcional'].filter(Boolean).join(', ')}
              </span>
            </dt>
            <dd className="min-w-0 text-[0.9375rem]">
              <WithCode>{description}</WithCode>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
