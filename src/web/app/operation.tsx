import { Details } from '../ui/details.tsx'
import type { FieldWords, Operation } from './reference.ts'

/** One operation: what it does, what it takes and answers, and how it is asked for. */
export function OperationCard({ operation }: { operation: Operation }) {
  const { id, method, path, summary, description, parameters, body, answer, refusals, curl } = operation
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-4 border-t border-line pt-6"
    >
      <div className="grid gap-1.5">
        <h3 id={`${id}-title`} className="text-lg font-semibold">
          {summary}
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <span className="rounded-control bg-brand-soft px-2 py-0.5 text-sm font-semibold text-brand">
            {method}
          </span>
          <code className="wrap-anywhere">{path}</code>
        </p>
      </div>
      <p>
        <WithCode>{description}</WithCode>
      </p>
      <CodeBlock label="Ejemplo">{curl}</CodeBlock>
      <FieldList title="Parámetros" fields={parameters} />
      <FieldList title="Cuerpo" fields={body.fields} />
      {answer.example && <CodeBlock label={`Respuesta ${answer.status}`}>{answer.example}</CodeBlock>}
      <Details summary="Campos de la respuesta y errores">
        <FieldList title={`Respuesta ${answer.status}`} fields={answer.fields} />
        <dl className="grid gap-2">
          {refusals.map(({ status, description: words }) => (
            <div key={status} className="grid gap-x-5 sm:grid-cols-[3rem_minmax(0,1fr)]">
              <dt className="font-semibold">{status}</dt>
              <dd className="text-[0.9375rem]">
                <WithCode>{words}</WithCode>
              </dd>
            </div>
          ))}
        </dl>
      </Details>
    </section>
  )
}

/** What is sent or answered, field by field. */
export function FieldList({ title, fields }: { title: string; fields: readonly FieldWords[] }) {
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

/** Program text as it is; a long line is scrolled to, also by keyboard. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <figure className="grid min-w-0 gap-1.5">
      <figcaption className="text-sm font-semibold text-mute">{label}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-hover p-3.5 text-[0.8125rem]/5 sm:p-4"
      >
        <code>{children}</code>
      </pre>
    </figure>
  )
}

/** Text in which what stands between backticks is code. */
export function WithCode({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have nothing else.
      <Code key={at}>{part}</Code>
    ),
  )
}

export const Code = ({ children }: { children: string }) => (
  <code className="rounded bg-hover px-1 py-0.5 text-[0.875em] wrap-anywhere">{children}</code>
)
