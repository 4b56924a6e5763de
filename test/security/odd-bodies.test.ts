import { openBare } from '../kit/open.ts'
import { openEveryoneOnce } from './everyone.ts'
import { everyDoor, sendOddBodies } from './odd-bodies.ts'

openBare(everyDoor)
openEveryoneOnce()

test('three hundred odd bodies are refused, and none is a failure of the server', () => sendOddBodies(300))
