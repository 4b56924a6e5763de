import { openBare } from '../../test/kit/open.ts'
import { openEveryoneOnce } from '../../test/security/everyone.ts'
import { everyDoor, sendOddBodies } from '../../test/security/odd-bodies.ts'

openBare(everyDoor)
openEveryoneOnce()

test(
  'ten thousand odd bodies are refused, and none is a failure of the server',
  () => sendOddBodies(10_000),
  1_800_000,
)
