import { Link } from 'react-router'
import { thousands } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'

/** The cases with CFE that a gester leaves behind, said before they are taken off: they stay under their name until somebody gets them. */
export const CasesNotice = ({ open }: { open: number }) =>
  open > 0 && (
    <Alert
      tone="info"
      title={
        open === 1 ? 'Lleva 1 trámite con CFE abierto' : `Lleva ${thousands(open)} trámites con CFE abiertos`
      }
    >
      Cuando alguien se va, o cambia de rol, sus trámites se quedan a su nombre y nadie los sigue.{' '}
      <Link to="/admin/gesties">Pasarlos a otra persona</Link>
    </Alert>
  )
