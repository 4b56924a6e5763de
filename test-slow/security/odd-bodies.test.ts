import { openBare } from '../../test/kit/open.ts'
import { openCastOnce } from '../../test/security/cast.ts'
import { everyDoor, sendOddBodies } from '../../test/security/odd-bodies.ts'

openBare(everyDoor)
openCastOnce()

test(
  'ten thousand odd bodies are refused, and none is a failure of the server',
  () => sendOddBodies(10_000),
  1_800_000,
)
