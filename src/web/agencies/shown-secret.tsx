import { Alert } from '../ui/alert.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

/** A secret in the only answer that ever carries it. */
export const ShownSecret = ({
  title,
  secret,
  children,
}: {
  title: string
  secret: string
  children: string
}) => (
  <Alert tone="ok" title={title} actions={<CopyButton text={secret} label="Copiar" />}>
    <div role="status" className="grid gap-2">
      <p>{children}</p>
      <code className="rounded-control border border-line bg-card px-3 py-2 text-sm break-all select-all">
        {secret}
      </code>
    </div>
  </Alert>
)
