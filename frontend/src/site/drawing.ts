// The script that draws charts in a published site.
import * as draw from "../charts/draw";
import * as picture from "../charts/picture";

Object.assign(window, { ostromDrawing: { ...draw, ...picture } });
