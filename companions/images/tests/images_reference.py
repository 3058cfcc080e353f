#!/usr/bin/python3
"""companions/images/tests/images_reference.py - makes the images in data, and the expected values in data/expected.npz.

    images_reference.py FOLDER    writes the files to FOLDER (needs NumPy, PIL with libjpeg-turbo, cjpeg, and PyTorch)

PNG files are written by this script with zlib, and PIL must decode those of 8 bits to the same numbers. JPEG files are
written and decoded by PIL. Transforms are computed with PyTorch and with the algorithms of torchvision's documentation."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import io
import math
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageOps

HEIGHT, WIDTH = 5, 7
MODES = ((False, False), (False, True), (True, False), (True, True))  # colour, alpha
ADAM7 = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))
MASK = (1 << 64) - 1

draw = np.random.RandomState(48)
expected = {}

# -- PNG ------------------------------------------------------------------------------------------------------------


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def packed(row, depth):
    """The bytes of a row of numbers (W, C)."""
    numbers = row.reshape(-1)
    if depth == 16:
        return numbers.astype(">u2").tobytes()
    bits = "".join(format(int(v), f"0{depth}b") for v in numbers)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def filtered(rows, step):
    """Every row with the next of PNG's five filters."""
    out, above = b"", None
    for y, row in enumerate(rows):
        above = above or bytes(len(row))
        left = bytes(step) + row[:-step]
        corner = bytes(step) + above[:-step]
        predict = (lambda a, b, c: 0, lambda a, b, c: a, lambda a, b, c: b, lambda a, b, c: (a + b) // 2, paeth)[y % 5]
        out += bytes([y % 5]) + bytes((v - predict(a, b, c)) & 255 for v, a, b, c in zip(row, left, above, corner))
        above = row
    return out


def png(numbers, kind, depth, interlaced=False, before=b""):
    height, width, channels = numbers.shape
    step = max(1, channels * depth // 8)
    parts = ADAM7 if interlaced else ((0, 0, 1, 1),)
    data = b""
    for top, left, down, right in parts:
        part = numbers[top::down, left::right]
        if part.size:
            data += filtered([packed(row, depth) for row in part], step)
    half = len(zlib.compress(data)) // 2
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced))
    body = zlib.compress(data)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + before + chunk(b"IDAT", body[:half]) + chunk(b"IDAT", body[half:])
            + chunk(b"IEND", b""))


def gray_of(x):
    x = x.astype(np.uint64)
    return (19595 * x[..., 0:1] + 38470 * x[..., 1:2] + 7471 * x[..., 2:3] + 32768) >> 16


def expect(name, x, colour, alpha, most):
    """Adds the numbers of an image (H, W, C) in every mode: one array of the channels of all modes."""
    modes = [x]
    for to_colour, to_alpha in MODES:
        channels = x[..., :3 if colour else 1]
        if colour and not to_colour:
            channels = gray_of(channels)
        if not colour and to_colour:
            channels = np.repeat(channels, 3, 2)
        opaque = np.full(x.shape[:2] + (1,), most)
        if to_alpha:
            channels = np.concatenate([channels, x[..., -1:] if alpha else opaque], 2)
        modes.append(channels)
    expected[name] = np.concatenate(modes, 2).transpose(2, 0, 1).astype(np.int64)


def numbers(channels, depth):
    return draw.randint(0, 1 << depth, (HEIGHT, WIDTH, channels))


def make_pngs(folder):
    for depth in (1, 2, 4, 8, 16):
        x = numbers(1, depth)
        wide = x * (255 // ((1 << depth) - 1)) if depth < 8 else x
        add_png(folder, f"gray{depth}", x, 0, depth, wide, False, False)
    for kind, channels, name in ((2, 3, "rgb"), (4, 2, "gray_alpha"), (6, 4, "rgba")):
        for depth in (8, 16):
            x = numbers(channels, depth)
            add_png(folder, f"{name}{depth}", x, kind, depth, x, channels > 2, channels in (2, 4))
    colours = draw.randint(0, 256, (16, 3))
    alphas = draw.randint(0, 256, 9)
    for depth in (2, 4):
        x = numbers(1, depth)
        palette = chunk(b"PLTE", colours[:1 << depth].astype(np.uint8).tobytes())
        add_png(folder, f"palette{depth}", x, 3, depth, colours[x[..., 0]], True, False, before=palette)
    transparent = np.concatenate([alphas, np.full(7, 255)])
    add_png(folder, "palette_alpha", x, 3, 4, np.concatenate([colours[x[..., 0]], transparent[x]], 2), True, True,
            before=palette + chunk(b"tRNS", alphas.astype(np.uint8).tobytes()))
    x = numbers(3, 8)
    key = x[2, 3]
    alpha = np.where((x == key).all(2, keepdims=True), 0, 255)
    add_png(folder, "rgb_key", x, 2, 8, np.concatenate([x, alpha], 2), True, True,
            before=chunk(b"tRNS", struct.pack(">HHH", *key)))
    x = numbers(1, 2)
    add_png(folder, "gray_key", x, 0, 2, np.concatenate([x * 85, np.where(x == 2, 0, 255)], 2), False, True,
            before=chunk(b"tRNS", struct.pack(">H", 2)))
    for kind, channels, depth, name in ((2, 3, 8, "interlaced"), (4, 2, 16, "interlaced16"), (0, 1, 1, "interlaced1")):
        x = numbers(channels, depth)
        add_png(folder, name, x, kind, depth, x * 255 if depth == 1 else x, channels > 2, channels == 2, interlaced=True)


def add_png(folder, name, stored, kind, depth, seen, colour, alpha, interlaced=False, before=b""):
    bytes_ = png(stored, kind, depth, interlaced, before)
    (folder / f"{name}.png").write_bytes(bytes_)
    expect(name, seen, colour, alpha, 65535 if depth == 16 else 255)
    if depth <= 8 and name != "gray_key":  # PIL compares the transparent number with scaled ones
        mode = {(False, False): "L", (False, True): "LA", (True, False): "RGB", (True, True): "RGBA"}[colour, alpha]
        with Image.open(io.BytesIO(bytes_)) as image:
            assert np.array_equal(np.asarray(image.convert(mode)).reshape(HEIGHT, WIDTH, -1), seen), name


# -- JPEG -----------------------------------------------------------------------------------------------------------


def photo(height, width, channels):
    y, x = np.mgrid[0:height, 0:width]
    planes = [128 + 80 * np.sin(0.4 * x + k) + 40 * np.cos(0.7 * y - k) + draw.randn(height, width) * 5 for k in range(channels)]
    return np.clip(np.stack(planes, 2), 0, 255).astype(np.uint8)


def decoded(bytes_, mode=None):
    with Image.open(io.BytesIO(bytes_)) as image:
        if mode == "L" and image.mode == "RGB":
            image.draft("L", image.size)
        return np.asarray(image.convert(mode) if mode else image).reshape(image.size[1], image.size[0], -1)


def make_jpegs(folder):
    kinds = {"gray": ("L", {}), "yuv444": ("RGB", {"subsampling": 0}), "yuv422": ("RGB", {"subsampling": 1}),
             "yuv420": ("RGB", {"subsampling": 2}), "progressive": ("RGB", {"progressive": True}), "cmyk": ("CMYK", {})}
    for name, (mode, options) in kinds.items():
        x = photo(11, 13, {"L": 1, "RGB": 3, "CMYK": 4}[mode])
        image = Image.fromarray(x[..., 0] if mode == "L" else x, mode)
        to = io.BytesIO()
        image.save(to, "JPEG", quality=85, **options)
        bytes_ = to.getvalue()
        (folder / f"{name}.jpg").write_bytes(bytes_)
        colour = decoded(bytes_, "RGB") if mode != "L" else decoded(bytes_)
        expect(name + "_jpg", colour, mode != "L", False, 255)
        grey = decoded(bytes_, "L") if mode != "CMYK" else gray_of(colour)
        unchanged = 1 if mode == "L" else 3  # libjpeg decodes the luminance itself, in two modes
        expected[f"{name}_jpg"][unchanged:unchanged + 2] = grey[..., 0]
    ppm = b"P6 13 11 255\n" + photo(11, 13, 3).tobytes()
    (folder / "scans.txt").write_text("0; 1; 2;\n")  # every component has a scan of its own
    bytes_ = subprocess.run(["cjpeg", "-quality", "85", "-scans", folder / "scans.txt"], input=ppm, stdout=subprocess.PIPE,
                            check=True).stdout
    (folder / "scans.txt").unlink()
    (folder / "three_scans.jpg").write_bytes(bytes_)
    expected["three_scans"] = decoded(bytes_).transpose(2, 0, 1).astype(np.int64)
    # Images with EXIF data: the test changes the orientation, which is 6 in the file.
    to = io.BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "heed"
    exif[0x0112] = 6
    Image.fromarray(photo(5, 6, 3)).save(to, "JPEG", quality=60, exif=exif.tobytes())
    bytes_ = to.getvalue()
    (folder / "oriented.jpg").write_bytes(bytes_)
    at = bytes_.index(b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06") + 9
    for orientation in range(1, 9):
        patched = bytes_[:at] + bytes([orientation]) + bytes_[at + 1:]
        with Image.open(io.BytesIO(patched)) as image:
            expected[f"oriented{orientation}"] = np.asarray(ImageOps.exif_transpose(image)).transpose(2, 0, 1).astype(np.int64)
    x = numbers(3, 8)
    tiff = b"II*\0" + struct.pack("<IHHHIHH", 8, 1, 0x0112, 3, 1, 8, 0) + bytes(4)
    (folder / "oriented.png").write_bytes(png(x, 2, 8, before=chunk(b"eXIf", tiff)))
    with Image.open(folder / "oriented.png") as image:
        expected["oriented_png"] = np.asarray(ImageOps.exif_transpose(image)).transpose(2, 0, 1).astype(np.int64)


# -- Transforms -----------------------------------------------------------------------------------------------------


def resized(x, height, width):
    return torch.nn.functional.interpolate(x[None], size=(height, width), mode="bilinear", align_corners=False)[0]


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Draws:
    """The random numbers of a sample: 0, 1: flips; 2, 3: random crop; 4, 5: position of the part; from 6 on: its area; from
    16 on: its proportion."""

    def __init__(self, seed, epoch, sample):
        golden = 0x9E3779B97F4A7C15
        state = 0
        for number in (seed, epoch, sample):
            state = mix((state + number + golden) & MASK)
        self.numbers = [(mix((state + golden * (i + 1)) & MASK) >> 11) / (1 << 53) for i in range(32)]

    def position(self, i, most):
        return int(self.numbers[i] * (most + 1))


def random_resized(x, d, scale, ratio, height, width):
    _, h, w = x.shape
    for i in range(10):
        area = h * w * (scale[0] + (scale[1] - scale[0]) * d.numbers[6 + i])
        low, high = math.log(ratio[0]), math.log(ratio[1])
        aspect = math.exp(low + (high - low) * d.numbers[16 + i])
        part_w, part_h = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
        if 0 < part_w <= w and 0 < part_h <= h:
            top, left = d.position(4, h - part_h), d.position(5, w - part_w)
            return resized(x[:, top:top + part_h, left:left + part_w], height, width)
    return central(x, ratio, height, width)


def central(x, ratio, height, width):
    _, h, w = x.shape
    part_h, part_w = h, w
    if w / h < ratio[0]:
        part_h = round(w / ratio[0])
    elif w / h > ratio[1]:
        part_w = round(h * ratio[1])
    top, left = (h - part_h) // 2, (w - part_w) // 2
    return resized(x[:, top:top + part_h, left:left + part_w], height, width)


def center_crop(x, height, width):
    _, h, w = x.shape
    down, right = max(height - h, 0), max(width - w, 0)
    x = torch.nn.functional.pad(x, (right // 2, right - right // 2, down // 2, down - down // 2))
    top, left = int(round((x.shape[1] - height) / 2.0)), int(round((x.shape[2] - width) / 2.0))
    return x[:, top:top + height, left:left + width]


def augmented(x, d):
    """The options of `augment` in test_images_transform.c."""
    x = random_resized(x, d, (0.08, 1), (3 / 4, 4 / 3), 7, 8)
    x = torch.nn.functional.pad(x, (2, 2, 2, 2))
    top, left = d.position(2, x.shape[1] - 6), d.position(3, x.shape[2] - 5)
    x = x[:, top:top + 6, left:left + 5]
    if d.numbers[0] < 0.5:
        x = x.flip(2)
    if d.numbers[1] < 0.25:
        x = x.flip(1)
    return (x - torch.tensor([0.5, 0.25, 0.125])[:, None, None]) / torch.tensor([0.5, 2, 0.25])[:, None, None]


def make_transforms():
    x = torch.rand(3, 9, 12)
    expected["image"] = x.numpy()
    results = {"resize_6": resized(x, 6, 8), "resize_20": resized(x, 20, 26), "resize_4_15": resized(x, 4, 15),
               "tall_5": resized(x.transpose(1, 2), 6, 5), "center_4": center_crop(x, 4, 4), "center_5_7": center_crop(x, 5, 7), "center_2_5": center_crop(x, 2, 5),
               "center_11_15": center_crop(x, 11, 15), "center_3_14": center_crop(x, 3, 14),
               "central_8": central(x, (3 / 4, 1), 8, 8), "central_wide": central(x, (2, 3), 5, 10),
               "parts_fail": random_resized(x[:, :2], Draws(3, 0, 0), (0.9, 1), (0.2, 0.3), 4, 4)}
    draws = [Draws(2 ** 63 + 5, epoch, sample) for epoch in range(2) for sample in (0, 1, 2, 1000000007)]
    results["augmented"] = torch.stack([augmented(x, d) for d in draws])
    expected.update({name: y.numpy() for name, y in results.items()})


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(48)
    make_pngs(folder)
    make_jpegs(folder)
    make_transforms()
    small = {name: a if a.dtype == np.float32 else a.astype(np.uint16 if a.max() > 255 else np.uint8)
             for name, a in expected.items()}
    np.savez_compressed(folder / "expected.npz", **small)


if __name__ == "__main__":
    main()
