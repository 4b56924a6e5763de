import type { ReactNode } from 'react'
import { Form } from 'react-router'

type AskFormProps = {
  /** The part of the page that answers; without JavaScript the browser goes there. */
  id: string
  /** What the address already says and this form does not ask. */
  kept: Readonly<Record<string, string>>
  className?: string
  children: ReactNode
}

/** A question whose answer stands in the page's own address. */
export function AskForm({ id, kept, className, children }: AskFormProps) {
  return (
    <Form method="get" action={`/approach#${id}`} preventScrollReset noValidate className={className}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  )
}
