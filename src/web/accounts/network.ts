import { sessionLimits } from '../../domain/accounts/sessions.ts'

/** How long a call may take on this device. */
export const networkTimeout = () =>
  /Android|iPhone|iPad|Mobi/i.test(navigator.userAgent)
    ? sessionLimits.networkTimeout.phone
    : sessionLimits.networkTimeout.desk
